import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bundles, OPERATIONS } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { type CpuGroups, cpuShare } from '../lambda/cpu-groups.ts';
import {
  type ExecutionEnvironment,
  startExecutionEnvironment,
} from '../lambda/execution-environment.ts';
import { MEMORY_SIZES, memorySizes } from '../lambda/memory-sizes.ts';
import { lambdaStarts } from '../lambda/starts.ts';
import { calledFunctions } from '../measurements/calls.ts';
import { growthWithFields, growthWithPromoEvents } from '../measurements/growth.ts';
import { soak } from '../measurements/soak.ts';
import { warmCalls } from '../measurements/warm.ts';
import { measureCalls, startWarmFunction } from '../measurements/warm-function.ts';

/* What becomes of the samples, with stand-ins for the processes that are measured. */

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
const groups = {} as CpuGroups;

function bundlesOf(candidate: string): Bundles {
  const bundle = { candidate, folder: '', bytes: 0 };
  return {
    'get-config': { ...bundle, operation: 'get-config' },
    'apply-promo-code': { ...bundle, operation: 'apply-promo-code' },
  };
}

const stop = vi.fn(async () => {});
const run = vi.fn<(kind: string, task: object) => Promise<unknown>>();
/** The commands that were sent to DynamoDB. */
let sent: unknown[];

beforeEach(() => {
  sent = [];
  vi.spyOn(documentClient, 'send').mockImplementation(async (command: unknown) => {
    sent.push(command);
    return {};
  });
  vi.mocked(startWarmFunction).mockImplementation(
    async () => ({ run, stop }) as unknown as Awaited<ReturnType<typeof startWarmFunction>>,
  );
});
afterEach(() => {
  vi.clearAllMocks();
});

describe('starts as in Lambda', () => {
  /** The nth environment takes n times 1,000 ms to start, and its calls take 1 ms, 2 ms and so on. */
  function environmentsStart(statusCode = 200): void {
    let started = 0;
    vi.mocked(startExecutionEnvironment).mockImplementation(
      async (): Promise<ExecutionEnvironment> => {
        let calls = 0;
        const call = async () => ({ ms: ++calls, statusCode, body: '' });
        return { initialised: 1000 * ++started, call, stop };
      },
    );
  }

  test('each has its initialisation, and its first, second and tenth call', async () => {
    environmentsStart();
    const candidates = ['ours', 'floor'].map(bundlesOf);
    const options = { megabytes: 512, rounds: 3 };
    const figures = await lambdaStarts(candidates, environment, groups, options);
    expect(figures.map(({ candidate, operation }) => [operation, candidate])).toEqual(
      OPERATIONS.flatMap((operation) => [
        [operation, 'ours'],
        [operation, 'floor'],
      ]),
    );
    for (const { measured } of figures) {
      const { initialisation, ...calls } = measured;
      expect(calls).toEqual({ first: [1, 1, 1], second: [2, 2, 2], tenth: [10, 10, 10] });
      expect(initialisation).toHaveLength(3);
    }
    const all = figures.flatMap(({ measured }) => measured.initialisation);
    expect(new Set(all).size).toBe(12);
    for (const [bundle, , started] of vi.mocked(startExecutionEnvironment).mock.calls) {
      expect(started).toEqual({
        variables: { OPERATION: bundle.operation, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512' },
        share: cpuShare(512),
      });
    }
    expect(stop).toHaveBeenCalledTimes(12);
    // Between the calls, so that none waits because the one before it has used up the share.
    expect(setTimeout).toHaveBeenCalledTimes(120);
    expect(setTimeout).toHaveBeenCalledWith(40);
  });

  test('an environment is stopped also if its function fails', async () => {
    environmentsStart(500);
    const options = { megabytes: 512, rounds: 1 };
    const starts = lambdaStarts([bundlesOf('hono')], environment, groups, options);
    await expect(starts).rejects.toThrow('hono responded to get-config with status 500');
    expect(stop).toHaveBeenCalledOnce();
  });

  test('each memory size has its first call, and two hundred warm calls after twenty others', async () => {
    environmentsStart();
    const figures = await memorySizes(bundlesOf('ours'), environment, groups, 2);
    expect(figures.map(({ operation, megabytes }) => [operation, megabytes])).toEqual(
      OPERATIONS.flatMap((operation) => MEMORY_SIZES.map((megabytes) => [operation, megabytes])),
    );
    const warm = Array.from({ length: 200 }, (_, index) => 22 + index);
    for (const one of figures) {
      expect(one).toMatchObject({ first: [1, 1], warm: [...warm, ...warm] });
      expect(one.initialisation).toHaveLength(2);
    }
    const shares = vi
      .mocked(startExecutionEnvironment)
      .mock.calls.map(([, , started]) => [
        started.variables.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
        started.share,
      ]);
    expect(new Map(shares as [string, number][])).toEqual(
      new Map(MEMORY_SIZES.map((megabytes) => [String(megabytes), cpuShare(megabytes)])),
    );
    expect(stop).toHaveBeenCalledTimes(16);
  });
});

describe('growth', () => {
  const times = { cpu: 0, p50: 0, p99: 0, throughput: 0, responseBytes: 0 };
  /** The clients that were called, in turn. The nth call takes n µs of CPU time. */
  function callsAreMeasured(): (string | undefined)[] {
    const clients: (string | undefined)[] = [];
    vi.mocked(measureCalls).mockImplementation(async (_warm, _bundle, _environment, load) => {
      const n = clients.push(load.clientId);
      return { ...times, cpu: n, p50: 10 * n, responseBytes: 100 * n };
    });
    return clients;
  }

  test('with fields: each size has a client with so many, and rounds that warm up do not count', async () => {
    const clients = callsAreMeasured();
    const steps = await growthWithFields(bundlesOf('ours')['get-config'], environment, 2);
    const stored = sent.map((command) => (command as PutCommand).input);
    expect(
      stored.map(({ TableName, Item }) => [TableName, Item?.clientId, Item?.fields.length]),
    ).toEqual([1, 10, 100, 1000].map((size) => ['Configs', `with-${size}`, size]));
    // Two rounds of four calls warm up.
    const counted = clients.map((client, index) => [client, index + 1] as const).slice(8);
    expect(counted).toHaveLength(8);
    expect(steps).toEqual(
      [1, 10, 100, 1000].map((size) => {
        const cpu = counted.filter(([client]) => client === `with-${size}`).map(([, n]) => n);
        expect(cpu).toHaveLength(2);
        const responseBytes = 100 * (cpu[0] ?? 0);
        return { size, cpu, p50: cpu.map((n) => 10 * n), responseBytes };
      }),
    );
    expect(startWarmFunction).toHaveBeenCalledExactlyOnceWith(
      ...([
        [expect.anything()],
        environment,
        { variables: { CONFIG_CACHE_SECONDS: '3600' } },
      ] as const),
    );
    expect(stop).toHaveBeenCalledOnce();
  });

  test('with promo events: what each measurement adds is erased', async () => {
    const clients = callsAreMeasured();
    const bundle = bundlesOf('ours')['apply-promo-code'];
    const steps = await growthWithPromoEvents(bundle, environment, 1);
    expect(steps.map(({ size, cpu }) => [size, cpu.length])).toEqual([
      [1, 1],
      [1000, 1],
      [100_000, 1],
    ]);
    const erased = sent
      .filter((command) => command instanceof QueryCommand)
      .map(({ input }) => input.ExpressionAttributeValues?.[':clientId']);
    expect(erased).toEqual(clients);
    expect(clients).toHaveLength(9);
  });

  test('the process is stopped also if a measurement fails', async () => {
    vi.mocked(measureCalls).mockRejectedValueOnce(new Error('broken'));
    const growth = growthWithFields(bundlesOf('ours')['get-config'], environment, 1);
    await expect(growth).rejects.toThrow('broken');
    expect(stop).toHaveBeenCalledOnce();
  });
});

test('memory is in megabytes, by the number of calls of both operations', async () => {
  const MB = 1024 * 1024;
  run.mockResolvedValueOnce([1, 2, 3].map((n) => ({ inUse: n * MB, rss: 10 * n * MB })));
  expect(await soak(bundlesOf('ours'), environment)).toEqual([
    { calls: 0, inUse: 1, rss: 10 },
    { calls: 10_000, inUse: 2, rss: 20 },
    { calls: 1_000_000, inUse: 3, rss: 30 },
  ]);
  const [kind, task] = run.mock.lastCall ?? [];
  const { events, after } = task as { events: Record<string, string[]>; after: number[] };
  expect([kind, after]).toEqual(['soak', [0, 10_000, 1_000_000]]);
  expect(Object.entries(events).map(([name, all]) => [name, all.length])).toEqual(
    OPERATIONS.map((operation) => [operation, 200]),
  );
  expect(stop).toHaveBeenCalledOnce();
});

test('warm calls: times are those of single calls, throughput has a sample for each number in flight', async () => {
  const rounds = 7;
  vi.mocked(measureCalls).mockImplementation(async (_warm, _bundle, _environment, load) => {
    const { concurrency, count } = load;
    const [cpu, p50, p99, throughput] = [1, 2, 3, 4].map((part) => 100 * concurrency + part);
    return {
      ...{ cpu: cpu ?? 0, p50: p50 ?? 0, p99: p99 ?? 0 },
      ...{ throughput: throughput ?? 0, responseBytes: count },
    };
  });
  run.mockResolvedValue({ bytes: 77 });
  const functions = ['ours', 'floor'].map(bundlesOf).flatMap(calledFunctions);
  const figures = await warmCalls(functions, environment, rounds);
  expect(figures.map(({ candidate, call }) => [call, candidate])).toEqual([
    ['getConfig, cached', 'ours'],
    ['getConfig, read', 'ours'],
    ['getConfig, read', 'floor'],
    ['promoCode/apply', 'ours'],
    ['promoCode/apply', 'floor'],
    ['promoCode/apply, read', 'ours'],
  ]);
  for (const { measured } of figures) {
    expect(measured).toEqual({
      ...{
        cpu: Array(rounds).fill(101),
        p50: Array(rounds).fill(102),
        p99: Array(rounds).fill(103),
      },
      throughput: {
        1: Array(rounds).fill(104),
        16: Array(5).fill(1604),
        64: Array(5).fill(6404),
      },
      bytes: Array(5).fill(77),
    });
  }
  const counts = vi.mocked(measureCalls).mock.calls.map(([, , , load]) => load.count);
  const byCount = Map.groupBy(counts, (count) => count);
  expect(new Map([...byCount].map(([count, all]) => [count, all.length]))).toEqual(
    new Map([
      // Each of the six warms up, and once more before its bytes are counted.
      ...([
        [3000, 6],
        [100, 6],
      ] as const),
      // One of them answers from its cache, so it makes ten times as many calls in each round.
      ...([
        [500, rounds],
        [50, 5 * rounds],
      ] as const),
      // Throughput takes four times as many calls, with 16 and with 64 in flight.
      ...([
        [2000, 2 * 5],
        [200, 5 * 2 * 5],
      ] as const),
    ]),
  );
  expect(stop).toHaveBeenCalledTimes(12);
  const flags = ['--max-semi-space-size=256', '--min-semi-space-size=256'];
  const started = vi.mocked(startWarmFunction).mock.calls.map(([, , options]) => options?.flags);
  expect(started.filter((own) => own !== undefined)).toEqual(Array(6).fill(flags));
});
