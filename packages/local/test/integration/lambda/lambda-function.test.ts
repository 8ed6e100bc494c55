import { writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LambdaFunction } from '../../../lambda/lambda-function.ts';

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
      case 'crash': setTimeout(() => { throw new Error('crashed'); }); return new Promise(() => {});
      default: return { n: event.n, invocations, requestId: context.awsRequestId, env: process.env };
    }
  }
`;

const folder = await temporaryFolder();
await writeFile(join(folder, 'index.mjs'), CODE);
let log: string[];
beforeEach(() => {
  log = [];
});

function start(timeoutSeconds = 10) {
  const environment = { SETTING: 'of the template', AWS_ENDPOINT_URL_SQS: 'http://moved' };
  const one = new LambdaFunction({
    definition: {
      logicalId: 'Store',
      codeKey: 'code.zip',
      handler: 'index.handler',
      timeoutSeconds,
      memoryMegabytes: 512,
      environment,
    },
    folder,
    endpoints: { AWS_ENDPOINT_URL_SQS: 'http://sqs', AWS_ENDPOINT_URL_DYNAMODB: 'http://db' },
    log: (line) => log.push(line),
  });
  onTestFinished(() => one.stop());
  // biome-ignore lint/suspicious/noExplicitAny: what the handler above returns
  return (event: object): Promise<any> => one.invoke(event);
}

test("invocations share a thread, which sees nothing of the developer's environment, and each gets its own response", async () => {
  vi.stubEnv('AWS_PROFILE', 'of a developer');
  onTestFinished(() => void vi.unstubAllEnvs());
  const invoke = start();
  const responses = await Promise.all([1, 2, 3].map((n) => invoke({ n })));
  expect(responses.map(({ n, invocations }) => [n, invocations])).toEqual([
    ...[1, 2, 3].map((n) => [n, n]),
  ]);
  expect(new Set(responses.map(({ requestId }) => requestId)).size).toBe(3);
  expect(responses[0].env).toMatchObject({
    SETTING: 'of the template',
    AWS_ENDPOINT_URL_SQS: 'http://moved',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://db',
    AWS_CONFIG_FILE: devNull,
  });
  expect(responses[0].env).not.toHaveProperty('AWS_PROFILE');
  await vi.waitUntil(() => log.length > 1);
  expect(log.toSorted()).toEqual(['and warned', 'loaded']);
});

test('an error of the handler fails its invocation only, and a crash all that are in flight; the next ones get a new thread', async () => {
  const invoke = start();
  await expect(invoke({ do: 'throw' })).rejects.toThrow('TypeError: broken');
  expect(log).toContain('TypeError: broken');
  expect((await invoke({})).invocations).toBe(2);
  const results = await Promise.allSettled([invoke({ do: 'hang' }), invoke({ do: 'crash' })]);
  const reason = new Error('Error: crashed');
  expect(results).toEqual(Array(2).fill({ status: 'rejected', reason }));
  expect((await invoke({})).invocations).toBe(1);
});

test('a timeout ends the thread and everything that still runs in it', async () => {
  // Long enough to start a thread on a busy machine.
  const invoke = start(3);
  const hanging = [1, 2].map(() => invoke({ do: 'hang' }));
  const results = await Promise.allSettled(hanging);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(log).toContain('Task timed out after 3 seconds');
  expect((await invoke({})).invocations).toBe(1);
});
