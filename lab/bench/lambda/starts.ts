import { type Bundle, type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { byPart, type Samples, samplesInTurn } from '../measurements/rounds.ts';
import type { CpuGroups } from './cpu-groups.ts';
import { type ExecutionEnvironment, startExecutionEnvironment } from './execution-environment.ts';
import { cpuShare } from './memory.ts';

const PARTS = ['boot', 'initialisation', 'first'] as const;
/**
 * Samples of a start, in milliseconds, one for each round. `boot` is Node itself, `initialisation`
 * lasts from the start of the import of the function's module until it is evaluated, and `first` is
 * the first call.
 */
export type Starts = Readonly<Record<(typeof PARTS)[number], Samples>>;

/** The starts of one operation of a candidate. */
export interface StartFigures {
  readonly candidate: string;
  readonly operation: Operation;
  readonly measured: Starts;
}

/** The parts that are started, how often and where. */
interface StartOptions {
  readonly candidates: readonly Bundles[];
  readonly rounds: number;
  readonly environment: Environment;
  /** Memory of the functions, in megabytes. */
  readonly megabytes: number;
  /** Limit a function to the share of a CPU that its memory gives it; default: nothing does. */
  readonly groups?: CpuGroups;
}

/** Starts all candidates in turn, and calls each once. */
export async function starts(options: StartOptions): Promise<readonly StartFigures[]> {
  const { candidates, rounds } = options;
  const bundles = OPERATIONS.flatMap((operation) => candidates.map((one) => one[operation]));
  const samplesOf = await samplesInTurn(bundles, rounds, (bundle) => start(bundle, options));
  return bundles.map((bundle) => {
    const { candidate, operation } = bundle;
    return { candidate, operation, measured: byPart(PARTS, samplesOf(bundle)) };
  });
}

async function start(bundle: Bundle, { environment, megabytes, groups }: StartOptions) {
  const { operation } = bundle;
  const started = await startExecutionEnvironment(
    bundle,
    environment.variables(operation, megabytes),
    groups && { groups, share: cpuShare(megabytes) },
  );
  try {
    const { boot, initialisation } = started;
    const [event = {}] = environment.events(operation, 1);
    return { boot, initialisation, first: await timeOf(started, event, bundle) };
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
  { call }: Pick<ExecutionEnvironment, 'call'>,
  event: object,
  { candidate, operation }: Bundle,
): Promise<number> {
  const { ms, statusCode, body } = await call(event);
  if (statusCode === 200) return ms;
  throw new Error(`${candidate} responded to ${operation} with status ${statusCode}: ${body}`);
}
