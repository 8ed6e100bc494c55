import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { runSmoke } from '../../../cli/smoke/run.ts';
import { CommandError } from '../../../core/platform/command-error.ts';
import { databaseClient } from '../../../local/database.ts';
import { close } from '../../../local/listen.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
afterEach(() => service.stop());

/** The checks of the service, with what they print. */
async function smoke(outputsFile = service.outputsFile) {
  const printed: string[] = [];
  const { signal } = new AbortController();
  const held = await runSmoke({ outputsFile, signal, print: (line) => printed.push(line) });
  return { held, printed: printed.join('\n') };
}

/** The client ids in both tables. */
async function clientsInTables(): Promise<(string | undefined)[]> {
  const { DynamoDbEndpoint, ConfigsTableName, PromoEventsTableName } = service.outputs;
  const client = databaseClient(DynamoDbEndpoint);
  const scan = async (TableName: string) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    return Items.map(({ clientId }) => clientId?.S);
  };
  const found = [...(await scan(ConfigsTableName)), ...(await scan(PromoEventsTableName))];
  client.destroy();
  return found.sort();
}

const EXAMPLES = ['acme', 'demo'];

test('everything holds on the service as it is, and nothing is left of the checks', async () => {
  service = await startService();
  const { held, printed } = await smoke();
  expect(printed).toMatch(/^\d+ passed, 0 failed$/m);
  expect(held).toBe(true);
  expect(await clientsInTables()).toEqual(EXAMPLES);
});

test('users that are bound by another claim, or by none, are checked as well', async () => {
  service = await startService({ USER_ID_CLAIM: 'custom:userId' });
  await rewriteOutputs({ UserIdClaim: 'custom:userId' });
  expect((await smoke()).printed).toMatch(/^\d+ passed, 0 failed$/m);
  await rewriteOutputs({ UserIdClaim: 'none' });
  const { printed } = await smoke();
  expect(printed).toContain("skipped     0 ms  another user's promo code is refused");
});

test.each([
  { PROMO_EVENTS_TABLE_NAME: 'a-table-that-is-not-there' },
  { USER_ID_CLAIM: 'cognito:groups' },
  { USER_POOL_CLIENT_IDS: 'another-app-client' },
  { USER_ID_CLAIM: 'none' },
])('a deployment with %o fails, and nothing is left of the checks', async (environment) => {
  service = await startService(environment);
  const { held, printed } = await smoke();
  expect(held).toBe(false);
  expect(printed).toMatch(/^failed /m);
  expect(printed).toMatch(/, [1-9]\d* failed/);
  expect(printed.includes('npm run erase-user')).toBe('PROMO_EVENTS_TABLE_NAME' in environment);
  expect(await clientsInTables()).toEqual(EXAMPLES);
});

describe('what cannot be removed', () => {
  let toDynamoDb: FaultProxy;
  afterEach(() => close(toDynamoDb.server));

  test('is printed, the rest is removed, and the run has not held', async () => {
    service = await startService();
    toDynamoDb = await FaultProxy.start();
    toDynamoDb.target = service.outputs.DynamoDbEndpoint;
    toDynamoDb.faultOf = ({ operation }) =>
      operation === 'DeleteItem' ? 'internal error' : undefined;
    await rewriteOutputs({ DynamoDbEndpoint: toDynamoDb.url });
    const { held, printed } = await smoke();
    expect(printed).toMatch(/^\d+ passed, 0 failed$/m);
    expect(printed).toMatch(/^NOT REMOVED: the item smoke-\S+ in \S+\. Remove it by hand\. /m);
    expect(printed).toMatch(/^NOT REMOVED: the promo events of smoke-\S+ in \S+\. /m);
    expect(held).toBe(false);
  });
});

test('a run without permission to create a client ends with one line', async () => {
  service = await startService();
  const toDynamoDb = await FaultProxy.start();
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
  toDynamoDb.faultOf = ({ operation }) => (operation === 'PutItem' ? 'internal error' : undefined);
  await rewriteOutputs({ DynamoDbEndpoint: toDynamoDb.url });
  const running = smoke();
  await expect(running).rejects.toThrow(/^The client cannot be created\. .*PutItem.*$/);
  await expect(running).rejects.toBeInstanceOf(CommandError);
  expect(await clientsInTables()).toEqual(EXAMPLES);
  await close(toDynamoDb.server);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'when %s comes, what was made is removed',
  async (signal) => {
    service = await startService();
    const child = spawn(process.execPath, ['bin/smoke.ts', '--outputs', service.outputsFile]);
    const printed: string[] = [];
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      // Then there are a client and a promo event.
      if (line.includes('promoCode/apply applies a code')) child.kill(signal);
    }
    const [code] = await ended;
    expect(code).toBeGreaterThan(128);
    expect(printed.join('\n')).toContain('Interrupted');
    expect(await clientsInTables()).toEqual(EXAMPLES);
  },
);

async function rewriteOutputs(others: Record<string, string>): Promise<void> {
  const stacks = JSON.parse(await readFile(service.outputsFile, 'utf8'));
  for (const outputs of Object.values(stacks)) Object.assign(outputs as object, others);
  await writeFile(service.outputsFile, JSON.stringify(stacks));
}
