import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../cli/command-line.ts';
import { findDeployment } from '../../cli/deployment.ts';
import { CHECKS, type Check } from '../../cli/smoke/checks.ts';
import { runSmoke, type SmokeOptions } from '../../cli/smoke/run.ts';
import { databaseClient } from '../../local/aws-clients.ts';
import { signIdToken } from '../../local/id-token.ts';
import { close } from '../../local/listen.ts';
import { customerData, type Surroundings } from '../support/command-line.ts';
import { startFakeAws } from '../support/fake-aws.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let before: readonly (string | undefined)[];

/** Runs the smoke checks on the service. */
async function smoke({
  outputs = service.outputsFile,
  ...options
}: Partial<SmokeOptions> & { readonly outputs?: string } = {}) {
  const printed: string[] = [];
  const hasPassed = await runSmoke(await findDeployment({ outputs }), {
    signal: new AbortController().signal,
    print: (line) => printed.push(line),
    note: (line) => printed.push(line),
    ...options,
  });
  return { hasPassed, printed: printed.join('\n') };
}

/** The client ids in the tables Configs and PromoEvents. */
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

/** Writes an outputs file that differs from that of the service. */
async function outputsWith(others: Record<string, string>): Promise<string> {
  const stacks = JSON.parse(await readFile(service.outputsFile, 'utf8'));
  for (const outputs of Object.values(stacks)) Object.assign(outputs as object, others);
  // In the same folder, where the key of the local issuer is.
  const file = join(dirname(service.outputsFile), 'other-outputs.json');
  await writeFile(file, JSON.stringify(stacks));
  return file;
}

/** An outputs file whose DynamoDB endpoint is a proxy that permits all operations but one. */
async function outputsWithout(denied: string) {
  const toDynamoDb = await FaultProxy.start();
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
  toDynamoDb.faultOf = ({ operation }) => (operation === denied ? 'not permitted' : undefined);
  return {
    outputs: await outputsWith({ DynamoDbEndpoint: toDynamoDb.url }),
    [Symbol.asyncDispose]: () => close(toDynamoDb.server),
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const listenersOfSignals = () => SIGNALS.map((signal) => process.listenerCount(signal));

const ALL_PASSED = /^\d+ passed, 0 failed$/m;

describe('the unchanged service', () => {
  beforeAll(async () => {
    // As stages/prod.json says: the client of the checks has to name its app client.
    service = await startService({ REQUIRE_USER_POOL_CLIENT_IDS: 'true' });
  });
  beforeEach(async () => {
    before = await clientsInTables();
  });
  afterAll(() => service.stop());

  test('passes, and leaves nothing in the tables', async () => {
    const queries: { ConsistentRead?: boolean }[] = [];
    const listener = (incoming: IncomingMessage) => {
      if (!String(incoming.headers['x-amz-target']).endsWith('.Query')) return;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => queries.push(JSON.parse(Buffer.concat(chunks).toString())));
    };
    service.servers.database.prependListener('request', listener);
    const { hasPassed, printed } = await smoke();
    service.servers.database.removeListener('request', listener);
    expect(printed).toMatch(ALL_PASSED);
    expect(hasPassed).toBe(true);
    expect(await clientsInTables()).toEqual(before);
    // Otherwise an event that was just stored could be missed.
    expect(queries).not.toEqual([]);
    for (const { ConsistentRead } of queries) expect(ConsistentRead).toBe(true);
  });

  test('leaves a history that says who removed the client', async () => {
    const { printed } = await smoke();
    const [clientId = ''] = /smoke-[-\w]+$/m.exec(printed) ?? [];
    await vi.waitFor(
      async () => {
        const args = ['config', 'history', clientId, '--json', '--outputs', service.outputsFile];
        const [newest = ''] = (await customerData(args)).stdout.split('\n');
        expect(JSON.parse(newest)).toMatchObject({
          ...{ isDeleted: true, source: 'published', by: 'customer-data smoke' },
        });
      },
      { timeout: 30_000, interval: 100 },
    );
  });

  test('fails every check with the cause if it cannot be reached', async () => {
    const { hasPassed, printed } = await smoke({ apiUrl: 'http://127.0.0.1:9' });
    expect(printed).toMatch(/^0 passed, \d+ failed$/m);
    expect(printed).toMatch(/fetch failed: \S/);
    expect(hasPassed).toBe(false);
    expect(await clientsInTables()).toEqual(before);
  });

  test('receives the token of --expired-token, at the URL of --api-url', async () => {
    const file = join(service.folder, 'expired.txt');
    const expired = await signIdToken(service.issuer, { expiresInSeconds: -60 });
    // The signature of nobody: the response to it is another one.
    await writeFile(file, `${expired.slice(0, expired.lastIndexOf('.'))}.AAAA\n`);
    const { code, stdout, stderr } = await customerData([
      ...['smoke', '--outputs', await outputsWith({ ApiUrl: 'http://127.0.0.1:9' })],
      ...['--expired-token', file, '--api-url', service.outputs.ApiUrl],
    ]);
    const failed = stdout.match(/^failed .*$/gm) ?? [];
    expect(failed).not.toEqual([]);
    for (const line of failed) expect(line).toContain('expired token');
    expect(stderr).toMatch(new RegExp(`^\\d+ passed, ${failed.length} failed$`, 'm'));
    expect(code).toBe(1);
  });

  test('refuses a token that has not expired', async () => {
    const file = join(service.folder, 'token.txt');
    await writeFile(file, await signIdToken(service.issuer, { expiresInSeconds: 3600 }));
    const args = ['smoke', '--expired-token', file, '--outputs', service.outputsFile, '--dry-run'];
    expect(await customerData(args)).toEqual({
      ...{ code: 2, stdout: '', stderr: `The ID token in ${file} has not expired yet.\n` },
    });
  });

  test('does not pass when the run is interrupted', async () => {
    const { hasPassed, printed } = await smoke({ signal: AbortSignal.abort() });
    expect(printed).toContain('Interrupted: the remaining checks did not run.\n0 passed, 0 failed');
    expect(hasPassed).toBe(false);
    expect(await clientsInTables()).toEqual(before);
  });

  test('ends when nobody reads its output any more, and removes what it created', async () => {
    const terminal = {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    };
    // As the entry point does.
    terminal.stdout.on('error', () => {});
    const listeners = listenersOfSignals();
    terminal.stdout.once('data', () => terminal.stdout.emit('error', new Error('EPIPE')));
    const args = ['smoke', '--outputs', service.outputsFile];
    const code = await runCommandLine(args, terminal).finally(() => terminal.stderr.end());
    expect(await text(terminal.stderr)).toContain('Interrupted: the remaining checks did not run.');
    expect(code).toBe(1);
    expect(await clientsInTables()).toEqual(before);
    expect(listenersOfSignals()).toEqual(listeners);
    expect(terminal.stdout.listenerCount('error')).toBe(1);
  });

  test('a second signal does not end the process before everything is removed', async () => {
    const terminal = {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    };
    const listeners = listenersOfSignals();
    let listening: number[] = [];
    terminal.stdout.once('data', () => {
      for (const signal of SIGNALS) process.emit(signal, signal);
      listening = listenersOfSignals();
    });
    const code = await runCommandLine(['smoke', '--outputs', service.outputsFile], terminal);
    const { exitCode } = process;
    process.exitCode = undefined;
    expect({ code, exitCode }).toEqual({ code: 1, exitCode: 128 + constants.signals.SIGHUP });
    expect(listening).toEqual(listeners.map((count) => count + 1));
    expect(listenersOfSignals()).toEqual(listeners);
    expect(await clientsInTables()).toEqual(before);
  });

  test('does not pass when a check throws an error without a message', async () => {
    const run = vi.spyOn(CHECKS[0] as Check, 'run').mockRejectedValue(new Error(''));
    const { hasPassed, printed } = await smoke();
    run.mockRestore();
    expect(printed).toMatch(/^\d+ passed, 1 failed$/m);
    expect(hasPassed).toBe(false);
  });

  test('does not pass when something cannot be removed, and the output names it', async () => {
    await using without = await outputsWithout('DeleteItem');
    const { hasPassed, printed } = await smoke(without);
    expect(printed).toMatch(ALL_PASSED);
    expect(printed).toMatch(/^NOT REMOVED: the item smoke-\S+ in \S+\. Remove it by hand\. /m);
    expect(printed).toMatch(/^NOT REMOVED: the promo events of smoke-\S+ in \S+\. /m);
    expect(hasPassed).toBe(false);
  });

  test.each(['PutItem', 'Query'])(
    'fails with one line without the permission for %s, and leaves nothing behind',
    async (operation) => {
      await using without = await outputsWithout(operation);
      const running = smoke(without);
      await expect(running).rejects.toThrow(
        new RegExp(
          `^dynamodb:${operation} on \\S+ failed\\. .* allow PutItem, .* on the tables Configs and PromoEvents\\.$`,
        ),
      );
      await expect(running).rejects.toMatchObject({ exitCode: 4 });
      expect((await clientsInTables()).filter((id) => !before.includes(id))).toEqual([]);
    },
  );

  test('--json prints a document for each check, and nothing else on the standard output', async () => {
    const { code, stdout, stderr } = await customerData([
      ...['smoke', '--outputs', service.outputsFile, '--json'],
    ]);
    expect(code).toBe(0);
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ check }) => check)).toEqual(CHECKS.map(({ name }) => name));
    for (const { result, milliseconds } of results) {
      expect(result).toBe('passed');
      expect(milliseconds).toBeGreaterThanOrEqual(0);
    }
    expect(stderr).toMatch(/^Checking \S+ as the client smoke-\S+\n\d+ passed, 0 failed\n$/);
  });

  test('--dry-run says what it would create and check, and creates and calls nothing', async () => {
    const outputs = await outputsWith({
      ApiUrl: 'http://127.0.0.1:9/',
      DynamoDbEndpoint: 'http://127.0.0.1:9',
    });
    const { code, stdout, stderr } = await customerData([
      'smoke',
      '--outputs',
      outputs,
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(CHECKS.map(({ name }) => name));
    expect(stderr).toBe(
      [
        'Would create in the local server, and remove at the end:',
        '  a user smoke-<random> of the local issuer',
        `  the client smoke-<random> in the table ${service.outputs.ConfigsTableName}`,
        `  their promo events in the table ${service.outputs.PromoEventsTableName}`,
        'Would call http://127.0.0.1:9 to check that:',
        '',
      ].join('\n'),
    );
    const asJson = await customerData(['smoke', '--outputs', outputs, '--dry-run', '--json']);
    expect(JSON.parse(asJson.stdout.split('\n')[0] ?? '')).toEqual({ check: CHECKS[0]?.name });
  });

  describe('in production', () => {
    let file: string;
    let aws: Awaited<ReturnType<typeof startFakeAws>>;
    beforeAll(async () => {
      const { JwksUri, ...outputs } = service.outputs;
      file = join(service.folder, 'production.json');
      const production = { ...outputs, RetainsData: 'true' };
      await writeFile(file, JSON.stringify({ 'CustomerDataApi-prod': production }));
      aws = await startFakeAws();
      const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
      for (const [name, value] of Object.entries({ ...env, AWS_ENDPOINT_URL: aws.endpoint })) {
        vi.stubEnv(name, value);
      }
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await aws.stop();
    });

    test.each<[string, Surroundings, number, RegExp]>([
      ['needs a terminal to ask at', {}, 2, /^Nothing was changed: there is no terminal/],
      [
        'asks, and creates nothing if the answer is no',
        { isTerminal: true, typed: 'n\n' },
        1,
        /PRODUCTION, CustomerDataApi-prod in [-\w]+: Create a user and a client for the checks, and remove them at the end\? \[y\/N\] .*Nothing was changed\.\n$/s,
      ],
    ])('%s', async (_, surroundings, code, stderr) => {
      aws.answer({});
      const run = await customerData(['smoke', '--outputs', file], surroundings);
      expect(run).toMatchObject({ code, stdout: '' });
      expect(stripVTControlCharacters(run.stderr)).toMatch(stderr);
      expect(aws.calls).toEqual([]);
      expect(await clientsInTables()).toEqual(before);
    });

    test('names the call that AWS refuses, and what the checks need, in one line', async () => {
      aws.answer({ AdminDeleteUser: {} });
      const { code, stdout, stderr } = await customerData(['smoke', '--outputs', file, '--yes']);
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      expect(stderr).toMatch(
        /^cognito-idp:AdminCreateUser on \S+ failed\. AccessDeniedException: You are not authorized\. The checks need AWS credentials that allow AdminCreateUser, [^\n]+\n$/,
      );
      // A lost response may have created it.
      expect(aws.calls).toEqual(['AdminCreateUser', 'AdminDeleteUser']);
      expect(await clientsInTables()).toEqual(before);
    });
  });

  test.each(SIGNALS)('keeps nothing that the checks created when %s ends them', async (signal) => {
    const child = spawn(process.execPath, [
      'bin/customer-data.ts',
      'smoke',
      '--outputs',
      service.outputsFile,
    ]);
    const printed: string[] = [];
    const ended = once(child, 'exit');
    createInterface({ input: child.stderr }).on('line', (line) => printed.push(line));
    for await (const line of createInterface({ input: child.stdout })) {
      // A client and a promo event exist by then.
      if (line.includes('promoCode/apply applies a code')) child.kill(signal);
    }
    const [code] = await ended;
    expect(code).toBe(128 + constants.signals[signal]);
    expect(printed.join('\n')).toContain('Interrupted');
    expect(await clientsInTables()).toEqual(before);
  });
});

describe('a deployment with other settings', () => {
  afterEach(() => service.stop());

  test('passes when another claim binds users, or none', async () => {
    service = await startService({ USER_ID_CLAIM: 'custom:userId' });
    const bound = await smoke({
      outputs: await outputsWith({ UserIdClaim: 'custom:userId' }),
    });
    expect(bound.printed).toMatch(ALL_PASSED);
    const { printed } = await smoke({ outputs: await outputsWith({ UserIdClaim: 'none' }) });
    expect(printed).toContain("skipped     0 ms  another user's promo code is refused");
    expect(printed).toMatch(/^\d+ passed, \d+ failed, 1 skipped$/m);
  });

  test.each([
    { PROMO_EVENTS_TABLE_NAME: 'a-table-that-is-not-there' },
    { USER_ID_CLAIM: 'cognito:groups' },
    { USER_POOL_CLIENT_IDS: 'another-app-client' },
    { USER_ID_CLAIM: 'none' },
  ])('fails with %o, and leaves nothing in the tables', async (environment) => {
    service = await startService(environment);
    before = await clientsInTables();
    const { hasPassed, printed } = await smoke();
    expect(hasPassed).toBe(false);
    expect(printed).toMatch(/^failed /m);
    expect(printed).toMatch(/, [1-9]\d* failed/);
    const isLeft =
      /^NOT REMOVED: promo events in the queue\. When the table accepts writes again, run\n {2}npx customer-data user erase --outputs \S+ --client smoke-\S+ --user smoke-\S+$/m;
    expect(isLeft.test(printed)).toBe('PROMO_EVENTS_TABLE_NAME' in environment);
    expect(await clientsInTables()).toEqual(before);
  });
});
