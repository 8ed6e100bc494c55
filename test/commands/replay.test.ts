import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replay as replayFrom } from '../../cli/queue/replay.ts';
import { Messages } from '../../cli/queue-messages.ts';
import { close, listen } from '../../local/listen.ts';
import { customerData } from '../support/command-line.ts';
import { pipeDeadLetter } from '../support/pipe-dead-letter.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/* The command as operators run it, on a service whose bus rejects what EventBridge would reject. */

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const replay = (...args: string[]) => {
  const all = args.length > 0 ? args : ['--dry-run'];
  return customerData(['queue', 'replay', '--outputs', service.outputsFile, ...all]);
};

const apply = (promoCode: string, userId = PROMO_REQUEST.userId) =>
  service.applyPromoCode({
    token: { user: userId },
    body: { ...PROMO_REQUEST, userId, promoCode },
  });

async function putWithoutKind(eventId: string): Promise<void> {
  const Item = { clientId: { S: 'demo' }, eventId: { S: eventId } };
  await service.dynamodb.send(
    new PutItemCommand({ TableName: service.outputs.PromoEventsTableName, Item }),
  );
}

const send = (MessageBody: string) =>
  service.sqs.send(
    new SendMessageCommand({
      QueueUrl: service.outputs.PromoEventsBusDeadLetterQueueUrl,
      MessageBody,
    }),
  );

/** Adds the dead letter of the records from one number to another; the first write to the table is number 1. */
async function addDeadLetter(first: number, last: number): Promise<void> {
  await send(await pipeDeadLetter(service.outputs, first, last));
}

const deadLetters = async () =>
  (await new Messages(service.sqs, service.outputs.PromoEventsBusDeadLetterQueueUrl).count())
    .waiting;

async function publishedCodes(): Promise<string[]> {
  const lines = (await readFile(join(service.folder, 'events.jsonl'), 'utf8')).trimEnd();
  return lines.split('\n').map((line) => JSON.parse(line).detail.item.promoCode.S);
}

/** What the bus received, without the parts of the envelope that differ. */
async function events(code: string): Promise<unknown[]> {
  const lines = (await readFile(join(service.folder, 'events.jsonl'), 'utf8')).trimEnd();
  return lines
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), id: '', time: '' }))
    .filter(({ detail }) => detail.item.promoCode.S === code);
}

test('an empty queue is reported as empty', async () => {
  expect(await replay()).toEqual({
    code: 0,
    stdout: '',
    stderr: 'The dead-letter queue of the event bus is empty.\n',
  });
  expect(JSON.parse((await replay('--dry-run', '--json')).stdout)).toEqual({
    ...{ deadLetters: 0, publishable: 0, noLongerStored: 0, problems: [] },
  });
});

test('dead letters are shown and stay; after a replay the bus receives their events as from the pipe', async () => {
  for (const code of ['A', 'B', 'C', 'D']) await apply(code);
  await addDeadLetter(2, 3);
  await addDeadLetter(4, 4);
  for (const _ of ['once', 'and again']) {
    const { code, stdout } = await replay();
    expect(stdout).toBe('Dead letters: 2. Events that can be published: 3\n');
    expect(code).toBe(0);
  }
  expect(await publishedCodes()).toEqual(['A', 'B', 'C', 'D']);

  const { code, stdout, stderr } = await replay('--yes');
  expect(stderr).toBe('');
  expect(stdout).toBe('Dead letters: 2. Events published: 3\n');
  expect(code).toBe(0);
  expect((await publishedCodes()).slice(4).sort()).toEqual(['B', 'C', 'D']);
  const [fromPipe, replayed] = await events('C');
  expect(replayed).toEqual(fromPipe);
  expect(await deadLetters()).toBe(0);
});

describe('after an erasure', () => {
  const erase = (userId: string) =>
    customerData([
      ...['user', 'erase', '--client', 'demo', '--user', userId, '--yes'],
      ...['--outputs', service.outputsFile],
    ]);

  test('the events of the user are left out, also if the table has others at their keys by now', async () => {
    for (const code of ['A', 'B']) await apply(code, 'jane');
    await apply('C', 'joe');
    await addDeadLetter(1, 3);
    const [first] = await events('A');
    expect((await erase('jane')).code).toBe(0);
    await apply('A', 'jane');
    const { stdout } = await replay('--dry-run', '--json');
    const found = { deadLetters: 1, noLongerStored: 1, problems: [] };
    expect(JSON.parse(stdout)).toEqual({ ...found, publishable: 2 });

    const before = (await publishedCodes()).length;
    const { code, stdout: replayed } = await replay('--yes', '--json');
    expect(JSON.parse(replayed)).toEqual({ ...found, published: 2 });
    expect(code).toBe(0);
    expect(await deadLetters()).toBe(0);
    expect((await publishedCodes()).slice(before).sort()).toEqual(['A', 'C']);
    // What the user applied since is published again, and not what was erased.
    const [, second, third] = await events('A');
    expect(third).toEqual(second);
    expect(third).not.toEqual(first);
  });

  test('a dead letter of which nothing can be published is removed, if that is confirmed', async () => {
    await apply('A', 'jane');
    await addDeadLetter(1, 1);
    await erase('jane');
    const args = ['queue', 'replay', '--outputs', service.outputsFile];
    const no = await customerData(args, { isTerminal: true, typed: 'n\n' });
    expect([no.code, await deadLetters()]).toEqual([1, 1]);
    const yes = await customerData(args, { isTerminal: true, typed: 'y\n' });
    expect([yes.code, await deadLetters()]).toEqual([0, 0]);
    expect(await publishedCodes()).toEqual(['A']);
  });
});

test('an item without a kind is named and stays; the others are published', async () => {
  await apply('A');
  await putWithoutKind('by hand');
  await addDeadLetter(1, 1);
  const { code, stdout, stderr } = await replay('--yes');
  expect(stdout).toMatch(
    /^Message \S+: The item \{"clientId":"demo","eventId":"by hand"\} has no kind\.$/m,
  );
  expect(stdout).toContain('Dead letters: 2. Events published: 1\n');
  expect(stderr).toBe('Not replayed, and still there: 1 dead letter.\n');
  expect(code).toBe(1);
  // It can be received at once.
  expect(await deadLetters()).toBe(1);
});

test('a dead letter stays if one of its items has no kind, and its other events are published', async () => {
  await putWithoutKind('by hand');
  await apply('A');
  await addDeadLetter(1, 2);
  const { code, stdout, stderr } = await replay('--yes');
  expect(stdout).toContain('Dead letters: 2. Events published: 1\n');
  expect(stderr).toBe('Not replayed, and still there: 2 dead letters.\n');
  expect(code).toBe(1);
  expect(await publishedCodes()).toEqual(['A', 'A']);
  expect(await deadLetters()).toBe(2);
});

test('a dead letter stays if the bus rejects an event of any batch', async () => {
  const codes = Array.from({ length: 11 }, (_, index) => `C${index}`);
  for (const code of codes) await apply(code);
  await addDeadLetter(1, codes.length);
  // The bus is busy during the first call.
  let calls = 0;
  const buses = new Set<string | undefined>();
  const bus = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: { EventBusName?: string }[] };
    for (const { EventBusName } of Entries) buses.add(EventBusName);
    const busy = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down.' };
    const accepted = Entries.map((_, index) => ({ EventId: String(index) }));
    const answers = ++calls === 1 ? [busy, ...accepted.slice(1)] : accepted;
    response.end(JSON.stringify({ Entries: answers, FailedEntryCount: calls === 1 ? 1 : 0 }));
  });
  const outputs = { ...service.outputs, EventBridgeEndpoint: await listen(bus) };
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  try {
    await expect(replayFrom(outputs, { publish: true, print, note: print })).rejects.toThrow(
      'Not replayed, and still there: 1 dead letter.',
    );
  } finally {
    await close(bus);
  }
  expect(printed).toEqual([
    expect.stringMatching(/: The bus rejected an event\. ThrottlingException: Slow down\.$/),
    'Dead letters: 1. Events published: 10',
  ]);
  expect(calls).toBe(2);
  // Without a name, events would go to the default bus of the account.
  expect([...buses]).toEqual([service.outputs.PromoEventsBusName]);
  expect(await deadLetters()).toBe(1);
});

test('a dead letter that SQS does not delete is reported, although the bus has its events', async () => {
  await apply('A');
  await addDeadLetter(1, 1);
  const refused = [{ Id: '0', SenderFault: false, Code: 'InternalError', Message: 'Try again.' }];
  const deletion = vi
    .spyOn(Messages.prototype, 'delete')
    .mockResolvedValue({ accepted: [], refused });
  const { code, stdout, stderr } = await replay('--yes');
  deletion.mockRestore();
  expect(stdout).toBe('Dead letters: 1. Events published: 1\n');
  expect(stderr).toBe(
    'SQS refused 1 message. InternalError: Try again. Nothing is lost: run it again.\n',
  );
  expect(code).toBe(1);
  // It can be received at once.
  expect(await deadLetters()).toBe(1);
});

test('what the stream does not have any more, and what is no dead letter, is said and stays', async () => {
  await addDeadLetter(7, 8);
  await send('{"some":"thing"}');
  const { code, stdout } = await replay('--yes');
  expect(stdout).toContain(
    ': The stream no longer has its records of 2026-11-20T09:30:00Z. The items are in the table.\n',
  );
  expect(stdout).toContain(': It is not a dead letter of the pipe.\n');
  expect(stdout).toContain('Dead letters: 2. Events published: 0\n');
  expect(code).toBe(1);
  expect(await deadLetters()).toBe(2);
  const {
    deadLetters: read,
    publishable,
    problems,
  } = JSON.parse((await replay('--dry-run', '--json')).stdout);
  expect({ read, publishable }).toEqual({ read: 2, publishable: 0 });
  expect(problems.map(({ problem }: { problem: string }) => problem).sort()).toEqual([
    'It is not a dead letter of the pipe.',
    expect.stringMatching(/^The stream no longer has its records of /),
  ]);
});

test.each([true, false])(
  'what was found before a failed call is said, as JSON: %s',
  async (json) => {
    await send('{"some":"thing"}');
    await apply('A');
    await addDeadLetter(1, 1);
    const outputs = { ...service.outputs, EventBridgeEndpoint: 'http://127.0.0.1:1' };
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const replaying = replayFrom(outputs, { publish: true, json, print, note: print });
    await expect(replaying).rejects.toThrow();
    const problem = 'It is not a dead letter of the pipe.';
    if (json) {
      expect(printed.map((line) => JSON.parse(line))).toMatchObject([
        { published: 0, problems: [{ problem }] },
      ]);
    } else expect(printed[0]).toContain(problem);
    expect(await deadLetters()).toBe(2);
  },
);

test('--remove removes the named dead letters without publishing them, and no others', async () => {
  await apply('A');
  await addDeadLetter(1, 1);
  await putWithoutKind('by hand');
  const [, id = ''] = /Message (\S+): The item/.exec((await replay()).stdout) ?? [];
  const { code, stdout } = await replay('--remove', id, '--yes');
  expect(stdout).toContain('Removed without publishing: 1\n');
  expect(code).toBe(0);
  expect(await deadLetters()).toBe(1);
  const { Messages: left = [] } = await service.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: service.outputs.PromoEventsBusDeadLetterQueueUrl,
      VisibilityTimeout: 0,
    }),
  );
  expect(left.map(({ MessageId }) => MessageId)).not.toContain(id);
  expect(await publishedCodes()).toEqual(['A']);

  const again = await replay('--remove', id, '--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ publishable: 1, removed: 0 });
  expect(again.stderr).toContain('"code":"incomplete"');
  expect(again.code).toBe(1);
});
