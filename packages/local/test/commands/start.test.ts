import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OPERATIONS } from 'customer-data-api/operations';
import { itemsIn } from 'customer-data-api/testing/items-in';
import {
  runInShell,
  sharedAssembly,
  startProcess,
  startServer,
} from 'customer-data-api/testing/processes';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { databaseClient } from 'customer-data-api-deployment/local';
import { describe, expect, inject, test, vi } from 'vitest';
import { readCloudAssembly } from '../../synthesize.ts';

/*
 * Runs the command as a user does: in a process of its own, with a folder of its own for each test.
 */

/** The outputs that the local server adds to those of the stack. */
const LOCAL_OUTPUTS = [
  'ConsoleUrl',
  'DynamoDbEndpoint',
  'EventBridgeEndpoint',
  'FaultEndpoint',
  'JwksUri',
  'SqsEndpoint',
  'TokenEndpoint',
];
/** A setting with which the second of several calls would be refused if the server throttled. */
const ONE_CALL_AT_ONCE = 'throttling={"getConfig":{"requestsPerSecond":1,"burst":1}}';

const folder = await temporaryFolder();

async function outputsIn(name: string): Promise<Record<string, string>> {
  const stacks = JSON.parse(await readFile(join(folder, name, 'outputs.json'), 'utf8'));
  expect(Object.keys(stacks)).toEqual(['CustomerDataApi-dev']);
  return stacks['CustomerDataApi-dev'];
}

async function promoEventsIn({
  DynamoDbEndpoint = '',
  PromoEventsTableName = '',
}: Record<string, string>) {
  const dynamodb = databaseClient(DynamoDbEndpoint);
  const client = DynamoDBDocumentClient.from(dynamodb);
  const { length } = await itemsIn(PromoEventsTableName, client);
  dynamodb.destroy();
  return length;
}

describe.concurrent('npm start', () => {
  test.each([
    [
      'the stack that it synthesizes',
      () => ['--set', ONE_CALL_AT_ONCE, '--set', 'heartbeat=true'],
      'SIGTERM',
      'bus-down',
    ],
    ['a cloud assembly that exists', sharedAssembly, 'SIGINT', 'slow'],
  ] as const)(
    'runs %s until it is stopped, and removes its outputs',
    async (_, app, signal, fault) => {
      const isSynthesized = fault === 'bus-down';
      const TMPDIR = await mkdtemp(join(folder, 'temporary-'));
      const args = ['--folder', join(folder, signal), '--fault', fault, ...app()];
      using server = await startServer(args, { TMPDIR });
      const outputs = await outputsIn(signal);
      // The first call of the heartbeat, which a schedule makes.
      const isCalled = () => server.output().includes('"message":"Request refused"');
      if (isSynthesized) await vi.waitUntil(isCalled);
      expect(await (await fetch(outputs.FaultEndpoint ?? '')).text()).toBe(fault);
      const { template } = await readCloudAssembly(inject('cloudAssembly'));
      expect(Object.keys(outputs).sort()).toEqual(
        [...Object.keys(template.outputs()), ...LOCAL_OUTPUTS].sort(),
      );
      expect(server.printed).toContain(`  Fault     ${fault};`);
      const getConfig = `${outputs.ApiUrl}/customData/getConfig`;
      const calls = Array.from({ length: 3 }, () => fetch(getConfig, { method: 'POST' }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses).toEqual([401, 401, 401]);
      const files = relative('', join(folder, signal));
      expect(server.printed).toContain(`  Outputs   ${files}/outputs.json\n`);
      const page = new URL(outputs.ConsoleUrl ?? '');
      const secret = { 'Console-Secret': page.hash.slice(1) };
      const clients = await fetch(new URL('/api/clients', page), { headers: secret });
      expect(await clients.text()).toContain('"clientId":"demo"');
      expect(await promoEventsIn(outputs)).toBe(0);
      expect(await server.stop(signal)).toBe(0);
      expect(await readdir(join(folder, signal))).not.toContain('outputs.json');
      const left = await readdir(TMPDIR);
      expect(left.filter((name) => name.startsWith('customer-data-api-'))).toEqual([]);
    },
  );

  test('keeps the data in the folder of --data, and answers the calls in its banner', async () => {
    const args = ['--folder', join(folder, 'run'), '--data', join(folder, 'data')];
    for (const run of ['first', 'second']) {
      using server = await startServer([...args, ...sharedAssembly()]);
      const commands = server.printed.match(/^curl [\s\S]*?'$/gm) ?? [];
      expect(commands).toHaveLength(OPERATIONS.length);
      const [config, promo] = await Promise.all(commands.map(runInShell));
      expect(JSON.parse(config ?? '').data.fields).toHaveLength(4);
      expect(JSON.parse(promo ?? '').errors).toEqual([]);
      // What a function logs is printed, without its metrics.
      const { ApiUrl = '' } = await outputsIn('run');
      const forged = { Authorization: 'Bearer a.b.c', 'App-Id': 'demo-app-key', 'Device-Id': 'd' };
      const headers = { ...forged, 'Request-Date': new Date().toISOString() };
      await fetch(`${ApiUrl}/customData/getConfig`, { method: 'POST', headers, body: '{}' });
      await vi.waitUntil(() => server.output().includes('"level":'));
      expect(server.output()).not.toContain('"_aws"');
      // Nothing else logs, such as the engines behind the functions.
      const [, ...logged] = server.output().split('"source":"profile"}\'');
      for (const line of logged.join('').trim().split('\n')) {
        expect(JSON.parse(line)).toHaveProperty('service');
      }

      const applications = run === 'first' ? 1 : 2;
      expect(await promoEventsIn(await outputsIn('run'))).toBe(applications);
      // A function publishes them after the answer, at least once.
      await vi.waitFor(async () => {
        const events = await readFile(join(folder, 'run', 'events.jsonl'), 'utf8');
        const ids = events.match(/"eventId":"[^"]+"/g);
        expect(new Set(ids).size).toBe(applications);
      });
      await server.stop('SIGTERM');
    }
  });

  test.each([
    ['as the stack says', () => ['--throttle', '--set', ONE_CALL_AT_ONCE]],
    [
      'beyond the requests per second that it names',
      () => ['--throttle', '1', ...sharedAssembly()],
    ],
  ])('throttles with --throttle, %s', async (name, options) => {
    using server = await startServer(['--folder', join(folder, name), ...options()]);
    const { ApiUrl } = await outputsIn(name);
    const statuses = new Set<number>();
    const post = async () => {
      const { status, body } = await fetch(`${ApiUrl}/customData/getConfig`, { method: 'POST' });
      await body?.cancel();
      statuses.add(status);
    };
    await vi.waitUntil(async () => {
      await Promise.all(Array.from({ length: 10 }, post));
      return statuses.has(429);
    });
    expect([...statuses].sort()).toEqual([401, 429]);
    await server.stop('SIGTERM');
  });

  test('stops when the npm process that started it stops', async () => {
    const npmFolder = join(folder, 'npm');
    const args = ['start', '--', '--folder', npmFolder, ...sharedAssembly()];
    using server = await startProcess('npm', args, { expected: 'Ctrl-C', env: { PORT: '0' } });
    await server.stop('SIGTERM');
    await vi.waitUntil(async () => !(await readdir(npmFolder)).includes('outputs.json'));
  });
});
