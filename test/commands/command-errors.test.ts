import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Outputs } from '../../cli/outputs.ts';
import { customerData, type Surroundings } from '../support/command-line.ts';
import type { Finished } from '../support/processes.ts';
import { eventOf } from '../support/promo-event.ts';
import { type Harness, startHarness } from '../support/queue-harness.ts';

/* What operators see when a command fails. */

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await startHarness();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

type Command = 'queue show' | 'queue redrive' | 'user erase';

const ARGUMENTS: Readonly<Record<Command, readonly string[]>> = {
  'queue show': [],
  'queue redrive': ['--yes'],
  'user erase': ['--client', 'demo', '--user', 'jane', '--yes'],
};

const API_URL = 'https://abc.execute-api.us-east-1.amazonaws.com/prod/';

/** Until the end of the test, the environment has nothing from which the SDK takes credentials. */
function withoutCredentials(): void {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  }
  vi.stubEnv('AWS_CONFIG_FILE', devNull);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', devNull);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
}
afterEach(() => vi.unstubAllEnvs());

async function run(
  command: Command,
  changed: Partial<Outputs> = {},
  args = ARGUMENTS[command],
  surroundings: Surroundings = {},
): Promise<Finished> {
  const file = join(folder, 'outputs.json');
  await writeFile(
    file,
    JSON.stringify({ 'CustomerDataApi-dev': { ...harness.outputs, ...changed } }),
  );
  return customerData([...command.split(' '), '--outputs', file, ...args], surroundings);
}

describe.each(['queue show', 'user erase'] as const)('customer-data %s', (command) => {
  test('succeeds when no call fails', async () => {
    await harness.store(eventOf('jane'));
    const { code, stdout } = await run(command);
    expect(stdout).not.toBe('');
    expect(code).toBe(0);
  });

  const queue = 'https://sqs.us-east-1.amazonaws.com/000000000000/no-such-queue';
  test.each<[string, Partial<Outputs>, RegExp, number?]>([
    [
      'something does not exist',
      { PromoEventsDeadLetterQueueUrl: queue },
      /^sqs:\w+ on \S+no-such-queue failed\. QueueDoesNotExist: \S/,
      1,
    ],
    [
      'AWS cannot be reached',
      { SqsEndpoint: 'http://127.0.0.1:9' },
      /^sqs:\w+ on \S+ failed\. \w+: .*ECONNREFUSED/,
    ],
    ['an output is missing', { PromoEventsQueueUrl: undefined as never }, /PromoEventsQueueUrl/, 2],
  ])('ends with one line when %s', async (_, changed, expected, expectedCode = 4) => {
    const { code, stdout, stderr } = await run(command, changed);
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(expectedCode);
  });

  test('fails with one line without credentials', async () => {
    withoutCredentials();
    const { code, stderr } = await run(command, {
      ...{ SqsEndpoint: undefined, DynamoDbEndpoint: undefined, ApiUrl: API_URL },
    });
    expect(stderr).toMatch(/^sqs:\w+ on \S+ failed\. CredentialsProviderError: .*\n$/);
    expect(code).toBe(4);
  });

  test('fails with one line when the error message of AWS has several', async () => {
    harness.fails = ({ operation }) => operation === 'receive';
    const { code, stderr } = await run(command);
    harness.fails = () => false;
    expect(stderr).toMatch(/^sqs:ReceiveMessage on \S+ failed\. AccessDenied\w*: Not allowed\.\n$/);
    expect(code).toBe(4);
  });
});

test('customer-data queue redrive prints what it did, and fails when SQS refuses a message', async () => {
  await harness.send('dead-letters', eventOf('jane'), '{}');
  harness.refuses = ({ operation }) => operation === 'send';
  const { code, stdout, stderr } = await run('queue redrive');
  harness.refuses = () => false;
  expect(stdout).toContain('Promo events moved back from the dead-letter queue: 0\n');
  expect(stderr).toMatch(/^SQS refused 1 message\. .*\n$/);
  expect(code).toBe(1);
});

test.each<[Command, RegExp]>([
  [
    'queue redrive',
    /^Promo events in the dead-letter queue: 1\n.* Move them back to the queue\? /s,
  ],
  ['user erase', /^Promo events of the user jane .*: 1\n.* Erase them\? /s],
])(
  'customer-data %s shows what it found beside its question, not as data',
  async (command, asked) => {
    const QueueUrl = harness.outputs.PromoEventsDeadLetterQueueUrl;
    await harness.sqs.send(new PurgeQueueCommand({ QueueUrl }));
    await harness.send('dead-letters', eventOf('jane'));
    const args = ARGUMENTS[command].filter((word) => word !== '--yes');
    const { code, stdout, stderr } = await run(command, {}, args, {
      ...{ isTerminal: true, typed: 'n\n' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    // The progress is gone before anything is printed.
    const [before, progress, shown] = stderr.split('\r\x1b[K');
    expect(before).toBe('');
    expect(progress).toMatch(/^(Dead letters read|Messages searched): 1$/);
    expect(stripVTControlCharacters(shown ?? '')).toMatch(asked);
  },
);

test.each(['', 'x'.repeat(256), 'a\u0007b'])(
  'customer-data user erase refuses the user %j in one line',
  async (user) => {
    const { code, stdout, stderr } = await run('user erase', {}, [
      '--client',
      'demo',
      '--user',
      user,
    ]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  },
);
