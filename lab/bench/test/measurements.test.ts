import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bundles, OPERATIONS } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import type { CpuGroups } from '../lambda/cpu-groups.ts';
import { startExecutionEnvironment } from '../lambda/execution-environment.ts';
import { cpuShare } from '../lambda/memory.ts';
import { MEMORY_SIZES, memorySizes } from '../lambda/memory-sizes.ts';
import { starts } from '../lambda/starts.ts';
import { calledFunctions } from '../measurements/calls.ts';
import { growth } from '../measurements/growth.ts';
import { inTurn } from '../measurements/rounds.ts';
import { warmCalls } from '../measurements/warm.ts';
import { measureCalls, startWarmFunction } from '../measurements/warm-function.ts';

/* Which samples are kept, with stand-ins for the processes that are measured. */

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }));
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
  outputs: { ConfigsTableName: 'Configs', PromoEventsTableName: 'PromoEvents' },
  variables: (operation: string, megabytes: number) => ({
    OPERATION: operation,
    MEGABYTES: String(megabytes),
  }),
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
  const warm = { run: async () => ({ bytes: 77 }), stop };
  vi.mocked(startWarmFunction).mockResolvedValue(warm as never);
});

describe('starts', () => {
  /**
   * The nth environment takes n times 1,000 ms to initialise, and its calls take 1 ms, 2 ms and so
   * on.
   */
  beforeEach(() => {
    let started = 0;
    vi.mocked(startExecutionEnvironment).mockImplementation(async () => {
      let calls = 0;
      const call = async () => ({ ms: ++calls, statusCode: 200, body: '' });
      return { boot: 7, initialisation: 1000 * ++started, call, stop };
    });
  });
  /** The memory that environments were told of, with the share of a CPU that they had. */
  const shares = () =>
    new Map(
      vi
        .mocked(startExecutionEnvironment)
        .mock.calls.map(([, { MEGABYTES }, limit]) => [Number(MEGABYTES), limit?.share]),
    );

  test('each round has a start of each candidate, and more rounds of some follow', async () => {
    const [ours, other] = [bundlesOf('ours'), bundlesOf('x')];
    const figures = await starts({
      candidates: [ours, other],
      rounds: 3,
      closest: [ours],
      moreRounds: 2,
      environment,
      groups,
      megabytes: 512,
    });
    const all = [];
    for (const { candidate, measured } of figures) {
      const length = candidate === 'ours' ? 5 : 3;
      expect(measured.initialisation.filter((ms) => ms > 12_000)).toHaveLength(length - 3);
      expect(measured.boot).toEqual(Array(length).fill(7));
      expect(measured.first).toEqual(Array(length).fill(1));
      all.push(...measured.initialisation);
    }
    expect(new Set(all).size).toBe(16);
    expect(shares()).toEqual(new Map([[512, expect.closeTo(0.29, 2)]]));
    expect(stop).toHaveBeenCalledTimes(16);
  });

  test('a memory size has its first call, and two hundred warm calls after twenty others', async () => {
    const figures = await memorySizes(bundlesOf('ours'), environment, groups, 2);
    const warm = Array.from({ length: 200 }, (_, index) => 22 + index);
    expect(figures).toHaveLength(OPERATIONS.length * MEMORY_SIZES.length);
    for (const one of figures) {
      expect(one).toMatchObject({ first: [1, 1], warm: [...warm, ...warm] });
    }
    expect(shares()).toEqual(new Map(MEMORY_SIZES.map((size) => [size, cpuShare(size)])));
  });
});

test('growth has a client for each number of fields, and rounds that warm up do not count', async () => {
  const clients: (string | undefined)[] = [];
  vi.mocked(measureCalls).mockImplementation(async (_warm, _bundle, _environment, load) => {
    const n = clients.push(load.clientId);
    return { cpu: n, p50: 10 * n, p99: 0, responseBytes: 100 };
  });
  const steps = await growth(bundlesOf('ours')['get-config'], environment, 2);
  for (const { fields, language, rollout, measured } of steps) {
    const id = ['with', fields, language, rollout].filter(Boolean).join('-');
    // Fifteen rounds of six calls warm up.
    const own = clients.flatMap((client, at) => (client === id && at > 89 ? at + 1 : []));
    expect([measured.cpu, measured.p50]).toEqual([own, own.map((n) => 10 * n)]);
  }
  expect(steps.map(({ fields }) => fields)).toEqual([1, 10, 100, 1000, 10, 10]);
  expect(stop).toHaveBeenCalledOnce();
});

test('warm calls have a sample for each round, and the floor neither a cache nor a client', async () => {
  let calls = 0;
  vi.mocked(measureCalls).mockImplementation(async () => {
    calls++;
    return { cpu: calls, p50: 2 * calls, p99: 3 * calls, responseBytes: 1 };
  });
  const functions = ['ours', 'floor'].map(bundlesOf).flatMap(calledFunctions);
  for (const { call, variables } of functions) {
    expect(variables.CONFIG_CACHE_SECONDS, call).toBe(call.endsWith(', read') ? '0' : '3600');
  }
  const figures = await warmCalls(functions, environment, 7);
  expect(figures.map(({ candidate, call }) => `${candidate}: ${call}`).toSorted()).toEqual([
    'floor: getConfig, read',
    'floor: promoCode/apply',
    'ours: getConfig, cached',
    'ours: getConfig, read',
    'ours: promoCode/apply',
    'ours: promoCode/apply, read',
  ]);
  for (const { measured } of figures) {
    const { cpu, p50, p99 } = measured;
    expect(new Set(cpu).size).toBe(7);
    expect([p50, p99]).toEqual([cpu.map((n) => 2 * n), cpu.map((n) => 3 * n)]);
  }
});

describe.each([1, 4, 5, 6, 7, 8])('in the rounds of %i candidates', (size) => {
  const candidates = [...'ABCDEFGH'].slice(0, size);
  const rounds = Array.from({ length: 2 * size }, (_, round) => inTurn(candidates, round - 2));

  test('each takes part, is the first once, follows each other one, and never itself', () => {
    for (const round of rounds) expect(round.toSorted()).toEqual(candidates);
    expect(new Set(rounds.map(([first]) => first)).size).toBe(size);
    const order = rounds.flat();
    const pairs = new Set(order.slice(1).map((one, at) => `${order[at]}${one}`));
    for (const one of candidates) {
      const others = candidates.filter((other) => pairs.has(`${one}${other}`));
      if (size > 1) expect(others).toEqual(candidates.filter((other) => other !== one));
    }
  });
});
