import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyDigest } from '../../../core/clients/key-digest.ts';
import { customerData, type Surroundings } from '../../support/command-line.ts';
import { type Answers, startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';
import { eventOf } from '../../support/promo-event.ts';

/* Commands for a deployment in AWS, in production: what they ask, call and say, and what they leave behind in their process. */

let aws: Awaited<ReturnType<typeof startFakeAws>>;
let folder: string;
let outputsFile: string;
beforeAll(async () => {
  aws = await startFakeAws();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  outputsFile = join(folder, 'outputs.json');
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-prod': OUTPUTS }));
});
afterAll(async () => {
  await aws.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const command = (words: string, surroundings?: Surroundings) =>
  customerData([...words.split(' '), '--outputs', outputsFile], surroundings);

const [FIRST, THIRD] = ['key-1', 'key-3'].map(keyDigest);
const PLACE = `CustomerDataApi-prod, ${OUTPUTS.Region}`;
const ARN = 'arn:aws:iam::123456789012:user/jane';

/** A command that changes a client. */
interface Changing {
  readonly words: string;
  /** What it asks, if it asks. */
  readonly question?: string;
  /** The last line of a dry run. */
  readonly would: string;
  /** What it says when it is done; KEY is that of the App-Id that it prints. */
  readonly done: string;
  /** What the history says. */
  readonly message: string;
}

const CHANGING: readonly Changing[] = [
  {
    words: 'clients create pizza',
    would: 'It would accept the tokens of the app client client.',
    done: `Created the client pizza in ${PLACE}.`,
    message: 'Created',
  },
  {
    words: 'clients set-app-clients demo client',
    question:
      'Set the app clients of the client demo? Apps that sign in with any other are refused.',
    would: `Would set the app clients of the client demo in ${PLACE}.`,
    done: `Set the app clients of the client demo in ${PLACE}.`,
    message: 'Set the app clients client',
  },
  {
    words: 'clients remove demo',
    question: 'Remove the client demo?',
    would: `Would remove the client demo from ${PLACE}.`,
    done: `Removed the client demo from ${PLACE}.`,
    message: 'Removed',
  },
  {
    words: 'keys add demo',
    would: `Would add a key to the client demo in ${PLACE}.`,
    done: `Added the key KEY to the client demo in ${PLACE}.`,
    message: 'Added the key KEY',
  },
  {
    words: 'keys add demo --correct',
    question:
      'Make App-Ids of them, and remove the attribute appIdz? Apps that send them are admitted.',
    would: 'Would make App-Ids of them, and remove the attribute appIdz.',
    done: `The key ${THIRD} is in appIdz of the client demo in ${PLACE}.\nMade App-Ids of them, and removed the attribute appIdz.`,
    message: `Moved the key ${THIRD} from appIdz to appIds`,
  },
  {
    words: `keys revoke demo ${FIRST}`,
    question: `Revoke the key ${FIRST} of the client demo? Apps that send it are refused.`,
    would: `Would revoke the key ${FIRST} of the client demo in ${PLACE}.`,
    done: `Revoked the key ${FIRST} of the client demo in ${PLACE}.`,
    message: `Revoked the key ${FIRST}`,
  },
];

const COMMANDS = [
  ...CHANGING.map(({ words, question }) => (question ? `${words} --yes` : words)),
  ...['clients list', 'clients show demo', 'keys list demo', 'promo list demo'],
  'user erase --client demo --user jane --yes',
  ...['queue show', 'queue redrive --yes', 'queue replay --yes'],
];

const DEAD_LETTER = {
  DDBStreamBatchInfo: {
    ...{ streamArn: 'arn:aws:dynamodb', shardId: 'shardId-1' },
    ...{ startSequenceNumber: '1', endSequenceNumber: '1' },
    approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
  },
};
const RECORD = {
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: '1',
    Keys: { clientId: { S: 'demo' }, eventId: { S: 'one' } },
    NewImage: { kind: { S: 'applied' } },
  },
};

/** A deployment in which each of the commands has something to do. */
function answers(): Answers {
  const received = new Set<unknown>();
  const message = (QueueUrl: unknown) => {
    const isOfBus = QueueUrl === OUTPUTS.PromoEventsBusDeadLetterQueueUrl;
    const Body = JSON.stringify(isOfBus ? DEAD_LETTER : eventOf('jane'));
    const MD5OfBody = createHash('md5').update(Body).digest('hex');
    return { MessageId: 'message', ReceiptHandle: 'handle', Body, MD5OfBody };
  };
  const Item = {
    ...{ clientId: { S: 'demo' }, appIds: { SS: ['key-1', 'key-2'] }, appIdz: { S: 'key-3' } },
    ...{ fields: { L: [] }, lastFieldId: { N: '0' } },
  };
  return {
    GetItem: ({ TableName, Key }) => {
      if (TableName === OUTPUTS.PromoEventsTableName) return { Item: RECORD.dynamodb.NewImage };
      return Object(Key).clientId.S === 'demo' ? { Item } : {};
    },
    ...{ UpdateItem: {}, DeleteItem: {}, Scan: { Items: [Item] } },
    Query: { Items: [{ clientId: { S: 'demo' }, eventId: { S: 'jane#CODE#applied' } }] },
    GetCallerIdentity: `<Arn>${ARN}</Arn>`,
    StartQuery: { queryId: 'query' },
    GetQueryResults: { status: 'Complete', results: [] },
    GetQueueAttributes: {
      Attributes: {
        ...{ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' },
      },
    },
    ReceiveMessage: ({ QueueUrl }) => {
      if (received.has(QueueUrl)) return {};
      received.add(QueueUrl);
      return { Messages: [message(QueueUrl)] };
    },
    ...{ SendMessageBatch: {}, DeleteMessageBatch: {}, ChangeMessageVisibilityBatch: {} },
    GetShardIterator: { ShardIterator: 'first' },
    GetRecords: { Records: [RECORD] },
    PutEvents: { Entries: [{ EventId: '1' }], FailedEntryCount: 0 },
  };
}

/** The calls that change a client, and the one that asks who makes the change. */
const changes = () =>
  aws.calls.filter((call) => /^(Update|Delete|Put)Item$|^GetCallerIdentity$/.test(call));

describe.each(CHANGING)('$words', ({ words, question, would, done, message }) => {
  const yes = question ? ' --yes' : '';

  test('says in the history who made the change and why, and then what is done, and where', async () => {
    aws.answer(answers());
    const { code, stdout, stderr } = await command(`${words}${yes}`);
    const key = keyDigest(stdout.trim());
    expect(stderr).toContain(`${done.replace('KEY', key)}\n`);
    expect(code).toBe(0);
    const isRemoved = words.startsWith('clients remove');
    expect(changes()).toEqual([
      ...['GetCallerIdentity', 'UpdateItem', ...(isRemoved ? ['DeleteItem'] : [])],
    ]);
    expect(aws.inputsOf('UpdateItem')).toMatchObject([
      {
        TableName: OUTPUTS.ConfigsTableName,
        ExpressionAttributeValues: {
          ':change': { M: { by: { S: ARN }, message: { S: message.replace('KEY', key) } } },
        },
      },
    ]);
  });

  test('changes nothing if it is not known who makes the change', async () => {
    const { GetCallerIdentity: _, ...others } = answers();
    aws.answer(others);
    const { code, stdout, stderr } = await command(`${words}${yes}`);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^sts:GetCallerIdentity failed\. .*\n$/m);
    expect(changes()).toEqual(['GetCallerIdentity']);
  });

  test('says in a dry run what it would do, and where, and does not ask', async () => {
    aws.answer(answers());
    const { code, stdout, stderr } = await command(`${words} --dry-run`, { isTerminal: true });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stripVTControlCharacters(stderr).trimEnd().split('\n').at(-1)).toBe(would);
    expect(changes()).toEqual([]);
  });

  test.skipIf(!question)('asks, and a no changes nothing', async () => {
    aws.answer(answers());
    const { code, stdout, stderr } = await command(words, { isTerminal: true, typed: 'n\n' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const asked = stripVTControlCharacters(stderr);
    expect(asked).toContain(
      `PRODUCTION, CustomerDataApi-prod in ${OUTPUTS.Region}: ${question} ${words.startsWith('clients remove') ? 'Type demo to confirm:' : '[y/N]'} `,
    );
    expect(asked).toMatch(/Nothing was changed\.\n$/);
    expect(changes()).toEqual([]);
  });
});

const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));

test.each(COMMANDS)(
  '%s closes its connections, and listens for no signal any more',
  async (words) => {
    const before = listeners();
    // When it succeeds, and when the first call is refused.
    for (const [answered, isDone] of [
      [answers(), true],
      [{}, false],
    ] as const) {
      aws.answer(answered);
      const { code, stderr } = await command(words);
      expect({ isDone: code === 0, stderr }).toEqual({ isDone, stderr });
      expect(aws.calls).not.toEqual([]);
      // A server closes a connection that nobody uses after five seconds.
      await vi.waitFor(async () => expect(await aws.connections()).toBe(0), { interval: 5 });
      expect(listeners()).toEqual(before);
    }
  },
);

test('keys add finds in a dry run, too, that the client has the App-Id already', async () => {
  const file = join(folder, 'app-id.txt');
  await writeFile(file, 'key-1\n');
  aws.answer(answers());
  for (const option of ['--dry-run', '--json']) {
    expect(await command(`keys add demo --from ${file} ${option}`)).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: expect.stringMatching(
        new RegExp(`^The client has the key ${FIRST} already\\. Nothing was changed\\.$`, 'm'),
      ),
    });
  }
  expect(changes()).toEqual([]);
});

test('promo list asks for what its options name, and for a time that is as long ago as --since says', async () => {
  aws.answer({ ...answers(), Query: { Items: [] } });
  const before = Date.now();
  const { code } = await command('promo list demo --user jane --code A --since 2h');
  expect(code).toBe(0);
  const [{ TableName, ExpressionAttributeValues } = {}] = aws.inputsOf('Query');
  const { ':since': since, ...others } = Object(ExpressionAttributeValues);
  expect({ TableName, others }).toEqual({
    TableName: OUTPUTS.PromoEventsTableName,
    others: { ':clientId': { S: 'demo' }, ':prefix': { S: 'jane#A#' } },
  });
  const hoursAgo = (before - Date.parse(since.S)) / 3_600_000;
  expect(hoursAgo).toBeGreaterThan(1.9);
  expect(hoursAgo).toBeLessThanOrEqual(2);
});

test('keys are listed in order, a JSON document for each if asked', async () => {
  // Their digests are in the reverse order.
  const keys = ['a', 'b', 'c'];
  aws.answer({ GetItem: { Item: { clientId: { S: 'demo' }, appIds: { SS: keys } } } });
  const digests = keys.map(keyDigest).reverse();
  expect((await command('keys list demo')).stdout).toBe(`${digests.join('\n')}\n`);
  expect((await command('keys list demo --json')).stdout).toBe(
    digests.map((key) => `{"key":"${key}"}\n`).join(''),
  );
});

test('colours are on a terminal alone, although the other stream is one', async () => {
  vi.stubEnv('NO_COLOR', undefined);
  const inPipe = { isTerminal: true, isPiped: true };
  aws.answer({
    GetItem: { Item: { clientId: { S: 'demo' } } },
    Scan: { Items: [{ clientId: { S: 'demo' } }] },
  });
  for (const words of ['clients list', 'clients show demo']) {
    expect((await command(words, inPipe)).stdout, words).toContain('admits nobody');
    expect((await command(words, inPipe)).stdout, words).not.toContain('\u001b');
    expect((await command(words, { isTerminal: true })).stdout, words).toContain('\u001b[31m');
  }
  const { stderr } = await command('clients remove demo --dry-run', inPipe);
  expect(stderr).toContain('\u001b[31madmits nobody');
});

test('names that others gave to attributes and app clients cannot move the cursor', async () => {
  const [keys, appClients] = ['app\u001bIdz', 'userPoolClient\u001bIdz'];
  const Item = {
    ...{ clientId: { S: 'demo' }, appIds: { SS: ['key-1'] }, [keys]: { SS: ['key-2'] } },
    ...{ userPoolClientIds: { SS: ['\u001bapp'] }, [appClients]: { S: 'x' } },
  };
  const unreadable = { ...Item, [keys]: { N: '7' } };
  for (const [words, item, name] of [
    ['keys add demo --dry-run', Item, 'app\\u001bIdz'],
    ['keys add demo --correct --yes', Item, 'app\\u001bIdz'],
    ['keys add demo --correct --yes', unreadable, 'app\\u001bIdz'],
    ['clients set-app-clients demo client --dry-run', Item, 'userPoolClient\\u001bIdz'],
    ['clients set-app-clients demo client --dry-run', Item, 'the app client \\u001bapp'],
  ] as const) {
    aws.answer({ ...answers(), GetItem: { Item: item } });
    const { stderr } = await command(words);
    expect(stderr, words).toContain(name);
    expect(stderr, words).not.toContain('\u001b');
    for (const { ExpressionAttributeValues } of aws.inputsOf('UpdateItem')) {
      expect(Object(ExpressionAttributeValues)[':change'].M.message.S).not.toContain('\u001b');
    }
  }
});
