import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeKeyUses, keyUsesQuery } from '../../cli/keys/key-uses.ts';
import { keyDigest } from '../../core/clients/key-digest.ts';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { functionLogGroup } from '../../lib/function-log-group.ts';
import { actionsOf } from '../../lib/operator-permissions.ts';
import { close, listen } from '../../local/listen.ts';
import { customerData } from '../support/command-line.ts';
import { type Answer, type Answers, startFakeAws } from '../support/fake-aws.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let aws: Awaited<ReturnType<typeof startFakeAws>>;
let outputsFile: string;
beforeAll(async () => {
  service = await startService();
  aws = await startFakeAws();
  // A deployment in AWS with the tables of the local server.
  const { JwksUri, ...outputs } = service.outputs;
  outputsFile = join(service.folder, 'aws.json');
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-prod': outputs }));
});
afterAll(async () => {
  await aws.stop();
  await service.stop();
});
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const KEY = keyDigest('acme-app-key');

/** The first line of `keys revoke` while CloudWatch Logs answers so. */
async function firstLine(answers: Answers) {
  aws.answer(answers);
  const args = ['keys', 'revoke', 'acme', KEY, '--force', '--dry-run', '--outputs', outputsFile];
  const { code, stdout, stderr } = await customerData(args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  const [line, ...rest] = stderr.split('\n');
  expect(rest.join()).toContain('Would revoke the key');
  return line;
}

const results = (values: Readonly<Record<string, string>>): Answers => ({
  StartQuery: { queryId: 'query' },
  GetQueryResults: {
    status: 'Complete',
    results: [Object.entries(values).map(([field, value]) => ({ field, value }))],
  },
});

describe('before it asks, keys revoke says', () => {
  test.each<[string, Answers, string]>([
    [
      'how often the key was used in the last day',
      results({ uses: '1234', notNamed: '0' }),
      'This key was used at least 1,234 times in the last 24 hours.',
    ],
    [
      'that it was used once',
      results({ uses: '1', notNamed: '7' }),
      'This key was used at least once in the last 24 hours.',
    ],
    [
      'that no use was logged',
      results({ notNamed: '0' }),
      'This key was not used in the last 24 hours, as far as the functions logged it.',
    ],
    [
      'the same where the functions have logged no use of any key',
      { ...results({}), GetQueryResults: { status: 'Complete', results: [] } },
      'This key was not used in the last 24 hours, as far as the functions logged it.',
    ],
    [
      'that it is not known where lines were too short for all keys',
      results({ notNamed: '5000' }),
      'Whether this key was used in the last 24 hours is not known: the logs have no room for 5,000 uses of keys.',
    ],
    ...['Cancelled', 'Failed', 'Timeout'].map((status): [string, Answers, string] => [
      `that the query ended as ${status}`,
      { ...results({}), GetQueryResults: { status } },
      `How often this key was used is not known: The query of the logs ended as ${status}.`,
    ]),
    [
      'which call is not permitted',
      {},
      'How often this key was used is not known: logs:StartQuery failed. AccessDeniedException: You are not authorized.',
    ],
  ])('%s', async (_, answers, expected) => {
    expect(await firstLine(answers)).toBe(expected);
    const { apiFunctionLogs = [], account = [] } = Object.fromEntries(actionsOf('Editor'));
    for (const call of aws.calls)
      expect([...apiFunctionLogs, ...account]).toContain(`logs:${call}`);
  });

  test('what the logs of all operations say about the last day', async () => {
    const start = Math.ceil(Date.now() / 1000);
    await firstLine(results({ uses: '1' }));
    const [query = {}] = aws.inputsOf('StartQuery');
    expect(query).toMatchObject({
      logGroupNames: OPERATIONS.map((one) => functionLogGroup('CustomerDataApi-prod', nameOf(one))),
      queryString: keyUsesQuery('acme', KEY),
    });
    expect(Number(query.endTime) - Number(query.startTime)).toBe(24 * 60 * 60);
    expect(query.endTime).toBeGreaterThanOrEqual(start);
    expect(aws.inputsOf('GetQueryResults')).toEqual([{ queryId: 'query' }]);
  });

  test('what a query says in the end, in the region of the deployment and within half a minute', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    vi.stubEnv('AWS_REGION', 'eu-north-1');
    const { GetQueryResults, StartQuery } = results({ uses: '12' });
    const partial = [[{ field: 'uses', value: '3' }]];
    const states = ['Scheduled', 'Running', 'Unknown'].map((status) => ({
      ...{ status, results: partial },
    }));
    const line = await firstLine({
      StartQuery,
      GetQueryResults: [...states, GetQueryResults as Answer],
    });
    expect(line).toBe('This key was used at least 12 times in the last 24 hours.');
    expect(timeout.mock.calls).toEqual([[30_000]]);
    timeout.mockRestore();
    expect(aws.signedBy).toEqual(Array(5).fill(`test ${service.outputs.Region}`));
  });

  test('that the local server keeps no log, and calls nothing', async () => {
    aws.answer({});
    const args = ['keys', 'revoke', 'acme', KEY, '--force', '--dry-run'];
    const { stderr } = await customerData([...args, '--outputs', service.outputsFile]);
    expect(stderr).toMatch(
      /^How often this key was used is not known: the local server keeps no log\.\n/,
    );
    expect(aws.calls).toEqual([]);
  });

  test('that the logs did not respond in time', async () => {
    aws.answer({ StartQuery: { queryId: 'query' }, GetQueryResults: { status: 'Running' } });
    const { JwksUri, ...outputs } = service.outputs;
    const deployment = {
      ...{ stackName: 'CustomerDataApi-prod', outputs, outputsFile: undefined, options: '' },
      ...{ isProduction: true, requiresUserPoolClientIds: true },
    };
    expect(await describeKeyUses(deployment, 'acme', KEY, 100)).toBe(
      'How often this key was used is not known: CloudWatch Logs did not respond within 0.1 seconds.',
    );
    // It asks twice a second: CloudWatch Logs permits few calls.
    expect(aws.inputsOf('GetQueryResults').length).toBeLessThan(2);
    // Nor does it wait for a response that does not come.
    const silent = createServer((request) => request.resume());
    vi.stubEnv('AWS_ENDPOINT_URL', await listen(silent));
    expect(await describeKeyUses(deployment, 'acme', KEY, 100)).toMatch(/within 0\.1 seconds\.$/);
    await close(silent);
  }, 10_000);
});

test.each(['demo', 'a.b', 'back`tick', 'a/b|c', 'quo"ted', 'back\\slash', '{brace}', 'ünï 試'])(
  'the query finds the count of the client %s, and of no other',
  (clientId) => {
    expect(keyUsesQuery(clientId, KEY)).toMatch(
      /^filter message = "App-Ids were used" \| .* \| stats sum\(count\) as uses, sum\(unnamed\) as notNamed$/,
    );
    const [, pattern = ''] = /parse @message \/(.*)\/ \|/.exec(keyUsesQuery(clientId, KEY)) ?? [];
    // A slash would end the pattern.
    expect(pattern).not.toMatch(/(?<!\\)\//);
    const count = (uses: object) =>
      new RegExp(pattern, 'u').exec(JSON.stringify({ unnamed: 0, uses }))?.groups?.count;
    const others = { [`x${clientId}`]: { [KEY]: 5 }, axb: { [KEY]: 6 } };
    expect(count({ ...others, [clientId]: { '00000000': 1, [KEY]: 12 } })).toBe('12');
    expect(count({ ...others, [clientId]: { '00000000': 1 } })).toBeUndefined();
  },
);
