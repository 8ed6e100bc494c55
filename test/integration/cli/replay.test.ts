import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outputs } from '../../../cli/outputs.ts';
import { type ReplayOptions, replay } from '../../../cli/queue/replay.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { type Harness, startHarness } from '../../support/queue-harness.ts';

/* Dead letters of the bus: what SQS, the stream and an interruption make of a run. */

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

async function run(options: Partial<ReplayOptions> = {}, endpoints: Partial<Outputs> = {}) {
  const printed: string[] = [];
  const PromoEventsBusDeadLetterQueueUrl = harness.outputs.PromoEventsDeadLetterQueueUrl;
  const error = await replay(
    { ...harness.outputs, PromoEventsBusDeadLetterQueueUrl, ...endpoints },
    {
      publish: false,
      print: (line) => printed.push(line),
      note: (line) => printed.push(line),
      ...options,
    },
  ).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, error };
}

const BODIES = Array.from({ length: 25 }, (_, index) => `letter ${index}`).sort();

test('a run that is interrupted reads no further batch, says so, and everything can be received again', async () => {
  await harness.send('dead-letters', ...BODIES);
  const interrupted = new AbortController();
  harness.before = async ({ operation }) => {
    if (operation === 'receive') interrupted.abort();
  };
  const { printed, error } = await run({ signal: interrupted.signal });
  expect(error).toMatchObject({
    ...{ exitCode: 1, message: 'Interrupted. Nothing is lost: run it again.' },
  });
  expect(harness.receives).toHaveLength(1);
  expect(printed.at(-1)).toBe('Dead letters: 10. Events that can be published: 0');
  expect(await harness.drain('dead-letters')).toEqual(BODIES);
});

test('a dead letter that SQS does not delete is not taken for removed, and can be received again', async () => {
  await harness.send('dead-letters', ...BODIES);
  const ids = (await run()).printed.flatMap((line) => /^Message (\S+):/.exec(line)?.[1] ?? []);
  expect(ids).toHaveLength(BODIES.length);
  let deletions = 0;
  harness.refuses = ({ operation }) => operation === 'delete' && deletions++ === 0;
  const { printed, error } = await run({ remove: ids.slice(0, 2) });
  expect(error).toMatchObject({
    exitCode: 1,
    message: 'SQS refused 1 message. InternalError: Try again. Nothing is lost: run it again.',
  });
  expect(printed.at(-1)).toBe('Removed without publishing: 1');
  expect(await harness.drain('dead-letters')).toHaveLength(BODIES.length - 1);
});

test('a dead letter that a long run receives again after the visibility timeout counts once, and stays', async () => {
  await harness.send('dead-letters', 'letter');
  let times = 0;
  harness.before = async ({ operation }) => {
    if (operation === 'receive' && times < 3) times = await harness.expire('letter');
  };
  const { printed, error } = await run({ maxStaying: 2 });
  expect(times).toBe(3);
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    expect.stringMatching(/^Message \S+: It is not a dead letter of the pipe\.$/),
    'Dead letters: 1. Events that can be published: 0',
  ]);
  expect(await harness.drain('dead-letters')).toEqual(['letter']);
});

test('a dead letter that somebody else has in flight is not taken for none', async () => {
  await harness.send('dead-letters', 'letter');
  await harness.hold('dead-letters', 600);
  expect(await run()).toEqual({
    printed: ['1 dead letter is in flight elsewhere. Look again in ten minutes.'],
    error: undefined,
  });
});

test('a run that cannot release what stays ends as it would otherwise', async () => {
  await harness.send('dead-letters', 'letter');
  harness.fails = ({ operation }) => operation === 'release';
  const { printed, error } = await run();
  expect(error).toBeUndefined();
  expect(printed.at(-1)).toBe('Dead letters: 1. Events that can be published: 0');
});

test('a run ends when many dead letters stay, and says that it did not read the others', async () => {
  await harness.send('dead-letters', ...BODIES);
  const { printed } = await run({ maxStaying: 10 });
  expect(printed[0]).toBe(
    'No more were read, because 10 dead letters stay. Publish or remove them, and run it again.',
  );
  expect(printed.at(-1)).toBe('Dead letters: 10. Events that can be published: 0');
  expect(await harness.drain('dead-letters')).toEqual(BODIES);
});

test('dead letters that were removed do not end a run', async () => {
  await harness.send('dead-letters', ...BODIES);
  const ids = (await run()).printed.flatMap((line) => /^Message (\S+):/.exec(line)?.[1] ?? []);
  const { printed, error } = await run({ remove: ids, maxStaying: 10 });
  expect(error).toBeUndefined();
  expect(printed.at(-1)).toBe('Removed without publishing: 25');
  expect(await harness.drain('dead-letters')).toEqual([]);
});

/** A dead letter of the records 1 to 3. */
const DEAD_LETTER = JSON.stringify({
  DDBStreamBatchInfo: {
    ...{ streamArn: 'arn:aws:dynamodb', shardId: 'shardId-1' },
    ...{ startSequenceNumber: '1', endSequenceNumber: '3' },
    approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
  },
});

test('an item that cannot be replayed is named by its keys, in their order in the table', async () => {
  const Keys = { eventId: { S: 'one' }, clientId: { S: 'demo' } };
  const aws = await startFakeAws();
  aws.answer({
    GetShardIterator: { ShardIterator: 'first' },
    GetRecords: {
      Records: [
        { eventName: 'INSERT', dynamodb: { SequenceNumber: '3', Keys, NewImage: { ...Keys } } },
      ],
    },
    GetItem: { Item: Keys },
  });
  await harness.send('dead-letters', DEAD_LETTER);
  try {
    const { printed } = await run({}, { DynamoDbEndpoint: aws.endpoint });
    expect(printed[0]).toMatch(
      /^Message \S+: The item \{"clientId":"demo","eventId":"one"\} has no kind\.$/,
    );
  } finally {
    await aws.stop();
  }
});

test('records that the pipe leaves out, such as those of expired items, do not keep a dead letter', async () => {
  const record = (SequenceNumber: string, eventName: string) => ({
    eventName,
    dynamodb: {
      SequenceNumber,
      Keys: { clientId: { S: 'demo' }, eventId: { S: 'one' } },
      ...(eventName === 'INSERT' && { NewImage: { kind: { S: 'applied' } } }),
    },
  });
  const aws = await startFakeAws();
  const Records = [record('1', 'REMOVE'), record('2', 'INSERT'), record('3', 'REMOVE')];
  aws.answer({
    GetShardIterator: { ShardIterator: 'first' },
    GetRecords: { Records, NextShardIterator: 'next' },
    GetItem: { Item: { kind: { S: 'applied' }, signature: { B: 'AQ==' } } },
    PutEvents: { Entries: [{ EventId: '1' }], FailedEntryCount: 0 },
  });
  await harness.send('dead-letters', DEAD_LETTER);
  const endpoints = { DynamoDbEndpoint: aws.endpoint, EventBridgeEndpoint: aws.endpoint };
  try {
    const { printed, error } = await run({ publish: true }, endpoints);
    expect(error).toBeUndefined();
    expect(printed).toEqual(['Dead letters: 1. Events published: 1']);
    const Detail = expect.stringContaining('"signature":{"B":"AQ=="}');
    const published = [{ Entries: [{ DetailType: 'applied', Detail }] }];
    expect(aws.inputsOf('PutEvents')).toMatchObject(published);
    const Key = { clientId: { S: 'demo' }, eventId: { S: 'one' } };
    const read = { TableName: 'PromoEvents', Key, ConsistentRead: true };
    expect(aws.inputsOf('GetItem')).toEqual([read]);
  } finally {
    await aws.stop();
  }
  expect(await harness.drain('dead-letters')).toEqual([]);
});
