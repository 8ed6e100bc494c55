import { median } from 'simple-statistics';
import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import type { StartFigures, Starts } from '../lambda/starts.ts';
import { CALLS, type Call } from '../measurements/calls.ts';
import type { GrowthStep } from '../measurements/growth.ts';
import type { Samples } from '../measurements/rounds.ts';
import type { JudgedFigure } from '../verdicts.ts';
import { ratio, sums } from './statistics.ts';

/** The wait of a caller whose call starts a function: initialisation and first call. */
export function startOf({ initialisation, first }: Starts): Samples {
  return sums(initialisation, first);
}

/** The time from a new process to the first response. */
export function totalOf({ boot, initialisation, first }: Starts): Samples {
  return sums(boot, initialisation, first);
}

/**
 * Computes the figures that have a limit. A figure without anything to compare with is NaN. Those
 * of a part that was not measured are missing.
 */
export function judgedFigures(figures: Figures): Readonly<Partial<Record<JudgedFigure, number>>> {
  const { peers, functions, lambda, cold, warm, growth, memory } = figures;
  return {
    ...(lambda && lambdaFigures(lambda, peers)),
    ...(cold && coldFigures(cold, peers)),
    'bundle, each function, KB': worst(Object.values(functions)) / 1024,
    ...(warm && {
      'warm CPU per promo application, ours / floor': ratio(
        warmOf(warm, OURS.name, 'promoCode/apply').cpu,
        warmOf(warm, FLOOR.name, 'promoCode/apply').cpu,
      ),
      'warm CPU, getConfig cached, ours / floor, read': ratio(
        warmOf(warm, OURS.name, 'getConfig, cached').cpu,
        warmOf(warm, FLOOR.name, 'getConfig, read').cpu,
      ),
      'warm, CPU and wall, ours / best peer': worstWarm(warm, peers),
    }),
    ...(growth && {
      'getConfig, growth of time / growth of bytes': growthOfGetConfig(growth),
      'getConfig, with / without Accept-Language': ratio(
        growthOf(growth, 10, 'de').cpu,
        growthOf(growth, 10).cpu,
      ),
      'getConfig, with / without a rollout': ratio(
        growthOf(growth, 10, 'candidate').cpu,
        growthOf(growth, 10).cpu,
      ),
    }),
    ...(memory && {
      'memory after 1,000,000 / after 10,000 calls':
        inUse(memory, 1_000_000) / inUse(memory, 10_000),
    }),
  };
}

function lambdaFigures(lambda: PartFigures['lambda'], peers: readonly string[]) {
  const floor = [FLOOR.name];
  return {
    'as Lambda, 1,024 MB: first call, ours / floor': worstStart(lambda, floor, (one) => one.first),
    'as Lambda, 1,024 MB: init and first call, ours / floor': worstStart(lambda, floor, startOf),
    'as Lambda, 1,024 MB: init and first call, ours / best peer': worstStart(
      lambda,
      peers,
      startOf,
    ),
  };
}

function coldFigures(cold: PartFigures['cold'], peers: readonly string[]) {
  const nextTo = (...others: readonly string[]) => worstStart(cold, others, totalOf);
  return {
    'cold, ours / floor': nextTo(FLOOR.name),
    'cold, ours / best peer': nextTo(...peers),
  };
}

function worstStart(
  starts: readonly StartFigures[],
  others: readonly string[],
  times: (starts: Starts) => Samples,
): number {
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

function warmOf(warm: PartFigures['warm'], name: string, kind: Call) {
  return measured(warm.find(({ candidate, call }) => candidate === name && call === kind)).measured;
}

function worstWarm(warm: PartFigures['warm'], peers: readonly string[]): number {
  return worst(
    CALLS.flatMap((call) =>
      peers.flatMap((peer) =>
        (['cpu', 'p50'] as const).map((time) =>
          ratio(warmOf(warm, OURS.name, call)[time], warmOf(warm, peer, call)[time]),
        ),
      ),
    ),
  );
}

function growthOf(growth: PartFigures['growth'], count: number, variant?: string) {
  const isOwn = ({ fields, language, rollout }: GrowthStep) =>
    fields === count && (language ?? rollout) === variant;
  return measured(growth.find(isOwn)).measured;
}

/** Below 1, the time of a call grows more slowly than its response. */
function growthOfGetConfig(growth: PartFigures['growth']): number {
  const [few, many] = [growthOf(growth, 10), growthOf(growth, 1000)];
  const timeGrowth = median(many.cpu) / median(few.cpu);
  return timeGrowth / ratio(many.responseBytes, few.responseBytes);
}

function inUse(memory: PartFigures['memory'], callCount: number): number {
  return measured(memory.find(({ calls }) => calls === callCount)).inUse;
}

/**
 * NaN without values: a figure that is compared with nothing, such as without peers, must not hold.
 */
function worst(values: readonly number[]): number {
  return values.length > 0 ? Math.max(...values) : Number.NaN;
}
