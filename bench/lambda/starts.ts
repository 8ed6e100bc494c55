import { setTimeout } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { type Bundle, type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { byPart, type Samples, samplesInTurn } from '../measurements/rounds.ts';
import { type CpuGroups, cpuShare } from './cpu-groups.ts';
import { type ExecutionEnvironment, startExecutionEnvironment } from './execution-environment.ts';
import { withMemory } from './memory.ts';

/** The last call that is measured is the tenth. */
const CALLS = 10;
/**
 * Between two calls, in milliseconds: a call must not wait because the one before it has used up
 * the share.
 */
const PAUSE_MS = 40;

const PARTS = ['initialisation', 'first', 'second', 'tenth'] as const;
/**
 * Samples of a start, in milliseconds, one for each round. `initialisation` lasts from the start of
 * the import of the function's module until it is evaluated; the other parts are calls.
 */
export type LambdaStarts = Readonly<Record<(typeof PARTS)[number], Samples>>;

/** The starts of one operation of a candidate. */
export interface LambdaStartFigures {
  readonly candidate: string;
  readonly operation: Operation;
  readonly megabytes: number;
  readonly measured: LambdaStarts;
}

/**
 * Starts all candidates in turn, as Lambda starts a function with this much memory, and calls each
 * ten times.
 */
export async function lambdaStarts(
  candidates: readonly Bundles[],
  environment: Environment,
  groups: CpuGroups,
  { megabytes, rounds }: { readonly megabytes: number; readonly rounds: number },
): Promise<readonly LambdaStartFigures[]> {
  const bundles = OPERATIONS.flatMap((operation) => candidates.map((bundle) => bundle[operation]));
  const samplesOf = await samplesInTurn(bundles, rounds, (bundle) =>
    lambdaStart(bundle, environment, groups, megabytes),
  );
  return bundles.map((bundle) => {
    const { candidate, operation } = bundle;
    return { candidate, operation, megabytes, measured: byPart(PARTS, samplesOf(bundle)) };
  });
}

/** Appends the samples of more rounds, which some of the candidates took part in. */
export function withMoreRounds(
  figures: readonly LambdaStartFigures[],
  more: readonly LambdaStartFigures[],
): readonly LambdaStartFigures[] {
  return figures.map((figure) => {
    const { candidate, operation, measured } = figure;
    const added = more.find((one) => one.candidate === candidate && one.operation === operation);
    if (!added) return figure;
    const all = PARTS.map((part) => [part, [...measured[part], ...added.measured[part]]]);
    return { ...figure, measured: Object.fromEntries(all) as LambdaStarts };
  });
}

/** The peer whose initialisation and first call of promoCode/apply take the least time. */
export function fastestStart(
  peers: readonly Bundles[],
  starts: readonly LambdaStartFigures[],
): Bundles | undefined {
  const time = (bundles: Bundles) => {
    const { candidate, operation } = bundles['apply-promo-code'];
    const found = starts.find(
      (one) => one.candidate === candidate && one.operation === operation,
    )?.measured;
    return found ? median([...found.initialisation]) + median([...found.first]) : Number.NaN;
  };
  return [...peers].sort((one, other) => time(one) - time(other))[0];
}

async function lambdaStart(
  bundle: Bundle,
  environment: Environment,
  groups: CpuGroups,
  megabytes: number,
) {
  const started = await startExecutionEnvironment(bundle, groups, {
    variables: withMemory(environment.variables(bundle.operation), megabytes),
    share: cpuShare(megabytes),
  });
  try {
    const calls: number[] = [];
    for (const event of environment.events(bundle.operation, CALLS)) {
      calls.push(await timeOf(started, event, bundle));
      await setTimeout(PAUSE_MS);
    }
    const [first = Number.NaN, second = Number.NaN] = calls;
    return {
      initialisation: started.initialised,
      first,
      second,
      tenth: calls.at(-1) ?? Number.NaN,
    };
  } finally {
    await started.stop();
  }
}

/**
 * Calls a function.
 *
 * @returns the time of the call, in milliseconds.
 * @throws Error if it does not succeed: its time would not be comparable.
 */
export async function timeOf(
  { call }: ExecutionEnvironment,
  event: object,
  { candidate, operation }: Bundle,
): Promise<number> {
  const { ms, statusCode, body } = await call(event);
  if (statusCode === 200) return ms;
  throw new Error(`${candidate} responded to ${operation} with status ${statusCode}: ${body}`);
}
