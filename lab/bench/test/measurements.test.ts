import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import type { CpuGroups } from '../lambda/cpu-groups.ts';
import { startExecutionEnvironment } from '../lambda/execution-environment.ts';
import { starts } from '../lambda/starts.ts';
import { callsInALanguage } from '../measurements/language.ts';
import { inTurn } from '../measurements/rounds.ts';
import { warmCalls } from '../measurements/warm.ts';
import { measureCalls, startWarmFunction } from '../measurements/warm-function.ts';

/* Which samples are kept, with stand-ins for the processes that are measured. */

vi.mock('../lambda/execution-environment.ts', () => ({ startExecutionEnvironment: vi.fn() }));
vi.mock('../measurements/warm-function.ts', () => ({
  startWarmFunction: vi.fn(),
  measureCalls: vi.fn(),
}));

const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({ region: 'us-east-1', endpoint: 'http://127.0.0.1:1' }),
);

const environment = {
  documentClient,
  outputs: { ConfigsTableName: 'Configs' },
  variables: (_operation: string, megabytes: number) => ({ MEGABYTES: String(megabytes) }),
  events: (operation: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ operation, index })),
} as unknown as Environment;

/** The bundles of a candidate, of which only the names matter. */
function bundlesOf(candidate: string): Bundles {
  const bundle = { candidate, folder: '', bytes: 0 };
  return {
    'get-config': { ...bundle, operation: 'get-config' },
    'apply-promo-code': { ...bundle, operation: 'apply-promo-code' },
  };
}

const groups = {} as CpuGroups;

const stop = vi.fn(async () => {});
beforeEach(() => {
  vi.clearAllMocks();
  vi.spyOn(documentClient, 'send').mockResolvedValue({} as never);
  vi.mocked(startWarmFunction).mockResolvedValue({ run: vi.fn(), stop });
});

test('each round has a start of each candidate, with its share of a CPU', async () => {
  let started = 0;
  vi.mocked(startExecutionEnvironment).mockImplementation(async () => {
    const call = async () => ({ ms: 1, statusCode: 200, body: '' });
    return { boot: 7, initialisation: ++started, call, stop };
  });
  const candidates = [bundlesOf('ours'), bundlesOf('x')];
  const figures = await starts({ candidates, rounds: 3, environment, groups, megabytes: 512 });
  for (const { measured } of figures) {
    expect(measured).toMatchObject({ boot: [7, 7, 7], first: [1, 1, 1] });
  }
  expect(new Set(figures.flatMap(({ measured }) => measured.initialisation)).size).toBe(12);
  for (const [, variables, limit] of vi.mocked(startExecutionEnvironment).mock.calls) {
    expect([variables.MEGABYTES, limit?.share]).toEqual(['512', expect.closeTo(0.29, 2)]);
  }
  expect(stop).toHaveBeenCalledTimes(12);
});

/** Lets each call take as many microseconds as calls were made, and notes the clients. */
function countCalls(): (string | undefined)[] {
  const clients: (string | undefined)[] = [];
  vi.mocked(measureCalls).mockImplementation(async (...[, , , , client]) => clients.push(client));
  return clients;
}

test('rounds that warm up do not count for calls in a language', async () => {
  const clients = countCalls();
  const figures = await callsInALanguage(bundlesOf('ours')['get-config'], environment, 2);
  for (const variant of ['with', 'without'] as const) {
    // Fifteen rounds of two calls warm up.
    const own = clients.flatMap((client, at) => (client === variant && at > 29 ? at + 1 : []));
    expect(figures[variant]).toEqual(own);
  }
  expect(vi.mocked(measureCalls).mock.calls.map((call) => call[5])).toContain('de');
  expect(stop).toHaveBeenCalledOnce();
});

test('warm calls have a sample for each round, and the floor no cache', async () => {
  countCalls();
  const figures = await warmCalls(['ours', 'floor'].map(bundlesOf), environment, 7);
  expect(figures.map(({ candidate, operation }) => `${candidate}: ${operation}`)).toEqual([
    'ours: get-config',
    'ours: apply-promo-code',
    'floor: apply-promo-code',
  ]);
  for (const { cpu } of figures) expect(new Set(cpu).size).toBe(7);
  expect(stop).toHaveBeenCalledTimes(3);
});

test.each([1, 4, 5])('%i candidates each are the first once, and follow each other', (size) => {
  const candidates = [...'ABCDE'].slice(0, size);
  const rounds = Array.from({ length: 2 * size }, (_, round) => inTurn(candidates, round - 2));
  for (const round of rounds) expect(round.toSorted()).toEqual(candidates);
  expect(new Set(rounds.map(([first]) => first)).size).toBe(size);
  const order = rounds.flat();
  const pairs = new Set(order.slice(1).map((one, at) => `${order[at]}${one}`));
  expect(pairs.size).toBe(Math.max(1, size * (size - 1)));
});
