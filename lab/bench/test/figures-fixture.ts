import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import type { Figures, PartFigures } from '../figures.ts';

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
        measured: { boot: samples(), initialisation: samples(), first: samples() },
      })),
    );
  return {
    machine: { date: '2026-11-20', node: 'v24.21.0', cpu: '2 × a CPU', load: '0.1' },
    excluded: {},
    peers: PEERS,
    functions: { 'get-config': 100 * 1024, 'apply-promo-code': 110 * 1024, queue: 90 * 1024 },
    lambda: starts(CANDIDATES),
    cold: starts([OURS.name, FLOOR.name]),
    warm: CANDIDATES.flatMap((candidate) =>
      OPERATIONS.map((operation) => ({ candidate, operation, cpu: samples() })),
    ),
    language: { with: samples(), without: samples() },
    memory: { 10000: next(), 1000000: next() },
  };
}
