import { OPERATIONS } from '../candidates/candidate.ts';
import {
  FLOOR,
  FLOOR_DEFAULT_FIELDS,
  FLOOR_EXTERNAL_SDK,
  OURS,
  RUNTIME,
} from '../candidates/candidates.ts';
import type { Figures, PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import { MEMORY_SIZES } from '../lambda/memory-sizes.ts';
import type { LambdaStarts } from '../lambda/starts.ts';
import { CALLS } from '../measurements/calls.ts';
import type { ColdStarts } from '../measurements/cold.ts';
import type { WarmCalls } from '../measurements/warm.ts';

/** Peers of the fixture. */
export const FIXTURE_PEERS = ['hono', 'express'] as const;

/** A cold start of 100 ms. */
const COLD: ColdStarts = {
  total: [100, 100, 100],
  boot: [20, 20, 20],
  loading: [30, 30, 30],
  initialising: [10, 10, 10],
  firstCall: [40, 40, 40],
  peakMegabytes: [60, 60, 60],
  responseBytes: [1024, 1024, 1024],
};

/** A start in which each part takes 100 ms. */
const LAMBDA: LambdaStarts = {
  initialisation: [100, 100, 100],
  first: [100, 100, 100],
  second: [100, 100, 100],
  tenth: [100, 100, 100],
};

/** A call of 1 ms, which is half CPU time. */
const WARM: WarmCalls = {
  cpu: [500, 500, 500],
  p50: [1000, 1000, 1000],
  p99: [2000, 2000, 2000],
  throughput: { 1: [1000], 16: [2000], 64: [2000] },
  bytes: [1024, 1024, 1024],
};

/** The figures of a run in which all candidates took the same time. */
export function figuresFixture(): Figures & PartFigures {
  const floors = [RUNTIME, FLOOR, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK];
  const names = [OURS, ...floors].map(({ name }) => name);
  const cold = [...names, ...FIXTURE_PEERS].flatMap((candidate) =>
    OPERATIONS.map((operation) => ({
      candidate,
      operation,
      bytes: 100 * 1024,
      measured: COLD,
      ours: COLD.total,
    })),
  );
  const warm = [OURS.name, FLOOR.name, ...FIXTURE_PEERS].flatMap((candidate) =>
    CALLS.filter((call) => candidate !== FLOOR.name || call !== 'getConfig, cached').map(
      (call) => ({
        candidate,
        call,
        measured: WARM,
      }),
    ),
  );
  const lambda = [OURS.name, FLOOR.name, ...FIXTURE_PEERS].flatMap((candidate) =>
    OPERATIONS.map((operation) => ({
      ...{ candidate, operation },
      ...{ megabytes: JUDGED_MEGABYTES, measured: LAMBDA },
    })),
  );
  const size = { initialisation: [100], first: [100], warm: [10, 10, 10] };
  const campaign = { answers: 3, errors: 0, starts: 1, latencies: [10, 10, 10] };
  const step = { cpu: [100], p50: [100] };
  const sizes = [1, 10, 100, 1000];
  return {
    machine: { date: '2026-11-20', node: 'v24.21.0', cpu: '2 × a CPU' },
    excluded: {},
    peers: FIXTURE_PEERS,
    functions: { 'get-config': 100 * 1024, 'apply-promo-code': 90 * 1024 },
    lambda,
    sizes: MEMORY_SIZES.flatMap((megabytes) =>
      OPERATIONS.map((operation) => ({ megabytes, operation, ...size })),
    ),
    load: [OURS.name, FIXTURE_PEERS[0]].map((candidate) => ({ candidate, ...campaign })),
    cold,
    warm,
    fields: sizes.map((size) => ({ ...step, size, responseBytes: size * 500 })),
    events: sizes.map((size) => ({ ...step, size, responseBytes: 100 })),
    memory: [0, 10_000, 1_000_000].map((calls) => ({ calls, inUse: 10, rss: 100 })),
    capacityUnits: { read: 1, write: 1 },
  };
}
