import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import type { StartFigures, Starts } from '../lambda/starts.ts';
import type { Samples } from '../measurements/rounds.ts';
import { FEW_CALLS, MANY_CALLS } from '../measurements/soak.ts';
import type { Estimates } from '../verdicts.ts';
import { type Estimate, exactly, ratio, sums } from './statistics.ts';

/** The wait of a caller whose call starts a function: initialisation and first call. */
export function startOf({ initialisation, first }: Starts): Samples {
  return sums(initialisation, first);
}

/**
 * Computes the figures that have a limit. A figure without anything to compare with is NaN. Those
 * of a part that was not measured are missing.
 */
export function judgedFigures(figures: Figures): Estimates {
  const { peers, functions, lambda, cold, warm, language, memory } = figures;
  const floor = [FLOOR.name];
  return {
    ...(lambda && {
      'as Lambda, 1,024 MB: first call, ours / floor': worstStart(
        lambda,
        floor,
        (one) => one.first,
      ),
      'as Lambda, 1,024 MB: init and first call, ours / floor': worstStart(lambda, floor, startOf),
      'as Lambda, 1,024 MB: init and first call, ours / best peer': worstStart(
        lambda,
        peers,
        startOf,
      ),
    }),
    ...(cold && {
      'cold, ours / floor': worstStart(cold, floor, ({ boot, initialisation, first }) =>
        sums(boot, initialisation, first),
      ),
    }),
    ...(warm && {
      'warm CPU per promo application, ours / floor': ratio(
        promoCpuOf(warm, OURS.name),
        promoCpuOf(warm, FLOOR.name),
      ),
    }),
    ...(language && {
      'getConfig, with / without Accept-Language': ratio(language.with, language.without),
    }),
    ...(memory && {
      'memory after 1,000,000 / after 10,000 calls': exactly(
        measured(memory[MANY_CALLS]) / measured(memory[FEW_CALLS]),
      ),
    }),
    'bundle, each function, KB': exactly(Math.max(...Object.values(functions)) / 1024),
  };
}

function worstStart(
  starts: readonly StartFigures[],
  others: readonly string[],
  times: (starts: Starts) => Samples,
): Estimate {
  return worst(
    OPERATIONS.flatMap((operation) => {
      const timesOf = (name: string) => {
        const isOwn = (one: StartFigures) => one.candidate === name && one.operation === operation;
        return times(measured(starts.find(isOwn)).measured);
      };
      return others.map((name) => ratio(timesOf(OURS.name), timesOf(name)));
    }),
  );
}

function promoCpuOf(warm: PartFigures['warm'], name: string): Samples {
  const isOwn = (one: PartFigures['warm'][number]) =>
    one.candidate === name && one.operation === 'apply-promo-code';
  return measured(warm.find(isOwn)).cpu;
}

/**
 * NaN without values: a figure that is compared with nothing, such as without peers, must not hold.
 */
function worst(estimates: readonly Estimate[]): Estimate {
  const value = Math.max(...estimates.map((one) => one.value));
  return estimates.find((one) => one.value === value) ?? exactly(Number.NaN);
}
