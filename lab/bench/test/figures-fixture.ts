import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import type { Figures, PartFigures } from '../figures.ts';
import { MEMORY_SIZES } from '../lambda/memory-sizes.ts';
import { CALLS } from '../measurements/calls.ts';

const PEERS = ['hono', 'powertools'] as const;
const CANDIDATES = [OURS.name, FLOOR.name, ...PEERS];

/**
 * Creates the figures of a run in which no two are equal, so that each is recognised wherever it is
 * used.
 */
export function figuresFixture(): Figures & PartFigures {
  let last = 90;
  /** A number that no other figure has. */
  const next = () => {
    last += 1 + (last % 7);
    return last;
  };
  /** Three rounds whose median is neither the first, nor the last, nor their mean. */
  const samples = () => {
    const median = next();
    return [median + 40, median - 10, median];
  };
  const starts = (candidates: readonly string[]) =>
    candidates.flatMap((candidate) =>
      OPERATIONS.map((operation) => ({
        candidate,
        operation,
        bytes: 1024 * next(),
        measured: { boot: samples(), initialisation: samples(), first: samples() },
      })),
    );
  return {
    machine: { date: '2026-11-20', node: 'v24.21.0', cpu: '2 × a CPU', load: '0.1' },
    excluded: {},
    peers: PEERS,
    functions: { 'get-config': 100 * 1024, 'apply-promo-code': 110 * 1024, queue: 90 * 1024 },
    lambda: starts(CANDIDATES),
    sizes: MEMORY_SIZES.flatMap((megabytes) =>
      OPERATIONS.map((operation) => ({
        megabytes,
        operation,
        initialisation: samples(),
        first: samples(),
        warm: samples(),
      })),
    ),
    cold: starts(CANDIDATES),
    warm: CANDIDATES.flatMap((candidate) =>
      // The floor has no cache.
      CALLS.filter((call) => candidate !== FLOOR.name || call !== 'getConfig, cached').map(
        (call) => ({
          candidate,
          call,
          measured: { cpu: samples(), p50: samples(), p99: samples(), responseBytes: samples() },
        }),
      ),
    ),
    growth: [
      ...[1, 10, 100, 1000].map((fields) => ({ fields })),
      { fields: 10, language: 'de' },
      { fields: 10, rollout: 'candidate' as const },
    ].map((step) => ({
      ...step,
      measured: { cpu: samples(), p50: samples(), responseBytes: samples() },
    })),
    memory: [0, 10_000, 1_000_000].map((calls) => ({ calls, inUse: next(), rss: next() })),
  };
}
