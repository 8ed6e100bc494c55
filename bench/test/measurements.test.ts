import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bundles, OPERATIONS } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { type CpuGroups, cpuShare } from '../lambda/cpu-groups.ts';
import { startExecutionEnvironment } from '../lambda/execution-environment.ts';
import { MEMORY_SIZES, memorySizes } from '../lambda/memory-sizes.ts';
import {
  fastestStart,
  type LambdaStartFigures,
  lambdaStarts,
  withMoreRounds,
} from '../lambda/starts.ts';
import { calledFunctions } from '../measurements/calls.ts';
import { growthWithFields } from '../measurements/growth.ts';
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
  variables: (operation: string) => ({ OPERATION: operation }),
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

describe('as Lambda', () => {
  /**
   * The nth environment takes n times 1,000 ms to start, and its calls take 1 ms, 2 ms and so on.
   */
  beforeEach(() => {
    let started = 0;
    vi.mocked(startExecutionEnvironment).mockImplementation(async () => {
      let calls = 0;
      const call = async () => ({ ms: ++calls, statusCode: 200, body: '' });
      return { initialised: 1000 * ++started, call, stop };
    });
  });
  /** The memory that environments were told of, with the share of a CPU that they had. */
  const shares = () =>
    new Map(
      vi
        .mocked(startExecutionEnvironment)
        .mock.calls.map(([, , { variables, share }]) => [
          Number(variables.AWS_LAMBDA_FUNCTION_MEMORY_SIZE),
          share,
        ]),
    );

  test('a start has its initialisation, and its first, second and tenth call', async () => {
    const options = { megabytes: 512, rounds: 3 };
    const starts = await lambdaStarts(['ours', 'x'].map(bundlesOf), environment, groups, options);
    for (const { measured } of starts) {
      const calls = { first: [1, 1, 1], second: [2, 2, 2], tenth: [10, 10, 10] };
      expect(measured).toEqual({ ...calls, initialisation: expect.any(Array) });
    }
    expect(new Set(starts.flatMap(({ measured }) => measured.initialisation)).size).toBe(12);
    expect(shares()).toEqual(new Map([[512, expect.closeTo(0.29, 2)]]));
    expect(stop).toHaveBeenCalledTimes(12);
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
  const steps = await growthWithFields(bundlesOf('ours')['get-config'], environment, 2);
  for (const { size, cpu, p50 } of steps) {
    // Two rounds of four calls warm up.
    const own = clients.flatMap((client, at) =>
      client === `with-${size}` && at > 7 ? at + 1 : [],
    );
    expect([cpu, p50]).toEqual([own, own.map((n) => 10 * n)]);
  }
  expect(steps.map(({ size }) => size)).toEqual([1, 10, 100, 1000]);
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
    ...['floor: getConfig, read', 'floor: promoCode/apply', 'ours: getConfig, cached'],
    ...['ours: getConfig, read', 'ours: promoCode/apply', 'ours: promoCode/apply, read'],
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

const figures = (
  candidate: string,
  operation: LambdaStartFigures['operation'],
  samples: readonly number[],
): LambdaStartFigures => {
  const measured = { initialisation: samples, first: samples, second: samples, tenth: samples };
  return { candidate, operation, megabytes: 1024, measured };
};

test('more rounds of some candidates follow those of all, in the same order', () => {
  const all = [figures('ours', 'get-config', [10, 20]), figures('hono', 'get-config', [70, 80])];
  const more = [figures('ours', 'get-config', [15])];
  expect(withMoreRounds(all, more)).toEqual([figures('ours', 'get-config', [10, 20, 15]), all[1]]);
});

test('the best peer has the shortest start and first call of promoCode/apply, by their medians', () => {
  const peers = ['hono', 'express', 'fastify'].map(bundlesOf);
  const starts = [
    figures('express', 'get-config', [1]),
    figures('hono', 'apply-promo-code', [3, 3, 3]),
    figures('express', 'apply-promo-code', [1, 4, 4]),
    // The mean of hono is less, and so is what express takes at least.
    figures('fastify', 'apply-promo-code', [2, 2, 90]),
  ];
  expect(fastestStart(peers, starts)).toBe(peers[2]);
  expect(fastestStart([], starts)).toBeUndefined();
});
