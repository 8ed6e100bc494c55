import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { LambdaFunction } from '../../../local/lambda-function.ts';

/** A handler whose event selects what it does. */
const CODE = `
  console.log('loaded');
  console.error('and warned');
  let invocations = 0;
  export async function handler(event, context) {
    invocations++;
    switch (event.do) {
      case 'hang': return new Promise(() => {});
      case 'throw': throw new TypeError('broken');
      case 'exit': process.exit(1);
      case 'crash': setTimeout(() => { throw new Error('crashed'); }); return new Promise(() => {});
      case 'wait': {
        const before = context.getRemainingTimeInMillis();
        await new Promise((resolve) => setTimeout(resolve, 60));
        return { before, after: context.getRemainingTimeInMillis() };
      }
      default: return { event, invocations, requestId: context.awsRequestId, name: context.functionName, env: process.env };
    }
  }
`;

let folder: string;
let log: string[];
let current: LambdaFunction | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  await writeFile(join(folder, 'index.mjs'), CODE);
});
afterEach(() => current?.stop());
afterAll(() => rm(folder, { recursive: true }));

function start(timeoutSeconds = 10): LambdaFunction {
  log = [];
  current = new LambdaFunction({
    definition: {
      logicalId: 'Store',
      codeKey: 'code.zip',
      handler: 'index.handler',
      timeoutSeconds,
      memoryMegabytes: 512,
      environment: { SETTING: 'of the template', AWS_ENDPOINT_URL_SQS: 'http://moved' },
    },
    folder,
    endpoints: { AWS_ENDPOINT_URL_SQS: 'http://sqs', AWS_ENDPOINT_URL_DYNAMODB: 'http://db' },
    log: (line) => log.push(line),
  });
  return current;
}

// biome-ignore lint/suspicious/noExplicitAny: what the handler above returns
const invoke = async (one: LambdaFunction, event: object): Promise<any> => one.invoke(event);

test('invocations share a thread with its own environment variables, and each gets its own response', async () => {
  const one = start();
  const responses = await Promise.all([1, 2, 3].map((n) => invoke(one, { n })));
  expect(responses.map(({ event }) => event.n)).toEqual([1, 2, 3]);
  expect(responses.map(({ invocations }) => invocations)).toEqual([1, 2, 3]);
  expect(new Set(responses.map(({ requestId }) => requestId)).size).toBe(3);
  expect(responses[0].name).toBe('Store');
  expect(responses[0].env).toEqual({
    SETTING: 'of the template',
    AWS_ENDPOINT_URL_SQS: 'http://moved',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://db',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_LAMBDA_FUNCTION_NAME: 'Store',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    // A developer's own profile must not affect the functions.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  });
  await vi.waitUntil(() => log.length > 1);
  expect(log.toSorted()).toEqual(['and warned', 'loaded']);
});

test('the remaining time of each invocation counts down from the timeout of the function', async () => {
  const one = start(10);
  const { before, after } = await invoke(one, { do: 'wait' });
  expect(before).toBeLessThanOrEqual(10_000);
  // It waits for 60 ms. Timers may fire up to a millisecond early.
  expect(before - after).toBeGreaterThanOrEqual(50);
});

test('an error of the handler fails its invocation and is logged, and the thread keeps running', async () => {
  const one = start();
  await expect(invoke(one, { do: 'throw' })).rejects.toThrow('TypeError: broken');
  expect(log).toContain('TypeError: broken');
  expect((await invoke(one, {})).invocations).toBe(2);
});

test.each([
  ['exit', 'Error: The function was stopped'],
  ['crash', 'Error: crashed'],
])(
  'a thread that ends (%s) fails all invocations in flight at once, and the next ones get a new thread',
  async (how, reason) => {
    const one = start();
    const hanging = [1, 2].map(() => invoke(one, { do: 'hang' }));
    const results = Promise.allSettled([...hanging, invoke(one, { do: how })]);
    expect(await results).toEqual(Array(3).fill({ status: 'rejected', reason: new Error(reason) }));
    expect((await invoke(one, {})).invocations).toBe(1);
    expect((await invoke(one, {})).invocations).toBe(2);
  },
);

test('a timeout ends the thread and everything that still runs in it', async () => {
  // Long enough to start a thread on a busy machine.
  const one = start(3);
  const hanging = [1, 2].map(() => invoke(one, { do: 'hang' }));
  const results = await Promise.allSettled(hanging);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(log).toContain('Task timed out after 3 seconds');
  expect((await invoke(one, {})).invocations).toBe(1);
});
