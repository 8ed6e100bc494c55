import { OPERATIONS } from '../candidates/candidate.ts';
import type { Figures, PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES, SMALL_MEGABYTES } from '../lambda/memory.ts';
import { MEMORY_SIZES } from '../lambda/memory-sizes.ts';
import { CALLS } from '../measurements/calls.ts';
import { figuresFixture } from './figures-fixture.ts';

const CANDIDATES = ['ours', 'floor', 'express'] as const;

const withJudgedMemory = <T>(one: T) => ({ ...one, megabytes: JUDGED_MEGABYTES });
const withLittleMemory = <T>(one: T) => ({ ...one, megabytes: SMALL_MEGABYTES });

/** A run in which no two figures are equal, so that each is recognised wherever it is shown. */
export function distinctFigures(): Figures & PartFigures {
  // Each is less than those before it, so that the order of the candidates is not the one that is drawn.
  let last = 5000;
  let count = 0;
  /** Three rounds, with a median that no other figure has. */
  const samples = () => {
    last -= 10 + (++count % 7);
    return [last - 2, last + 1, last];
  };
  const both = CANDIDATES.flatMap((candidate) =>
    OPERATIONS.map((operation) => ({ candidate, operation })),
  );
  return {
    ...figuresFixture(),
    lambda: [...both.map(withJudgedMemory), ...both.slice(0, 4).map(withLittleMemory)].map(
      (one) => ({
        ...one,
        measured: {
          initialisation: samples(),
          first: samples(),
          second: samples(),
          tenth: samples(),
        },
      }),
    ),
    sizes: MEMORY_SIZES.flatMap((megabytes) =>
      OPERATIONS.map((operation) => ({
        ...{ megabytes, operation },
        ...{ initialisation: samples(), first: samples(), warm: samples() },
      })),
    ),
    load: ['ours', 'express'].map((candidate) => ({
      candidate,
      answers: --last,
      errors: --last,
      starts: --last,
      latencies: Array.from({ length: 2001 }, (_, index) => index + 1000 * last),
    })),
    cold: both.map((one) => ({
      ...one,
      bytes: 1024 * --last,
      ours: [2 * last, 2 * last, 2 * last],
      measured: {
        ...{ total: samples(), boot: samples(), loading: samples(), initialising: samples() },
        ...{ firstCall: samples(), peakMegabytes: samples(), responseBytes: samples() },
      },
    })),
    warm: CANDIDATES.flatMap((candidate) =>
      CALLS.map((call) => ({
        ...{ candidate, call },
        measured: {
          ...{ cpu: samples(), p50: samples(), p99: samples() },
          throughput: { 1: samples(), 16: samples(), 64: samples() },
          bytes: samples().map((kilobytes) => kilobytes * 1024),
        },
      })),
    ),
    fields: [1, 10, 1000].map((size) => ({
      ...{ size, cpu: samples(), p50: samples() },
      responseBytes: 1024 * --last,
    })),
    events: [1, 10, 1000].map((size) => ({
      ...{ size, cpu: samples(), p50: samples(), responseBytes: 1 },
    })),
    memory: [0, 10_000].map((calls) => ({ calls, inUse: --last, rss: --last })),
  };
}
