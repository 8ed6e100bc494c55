import type { Part } from './figures.ts';
import type { Estimate } from './results/statistics.ts';

/**
 * The limits of the service's performance. A figure is a ratio unless its name says otherwise. The
 * worst operation or function counts. `docs/performance.md` explains the figures.
 */
export const FIGURES = {
  'as Lambda, 1,024 MB: first call, ours / floor': { limit: 0.75, part: 'lambda' },
  'as Lambda, 1,024 MB: init and first call, ours / floor': { limit: 1.4, part: 'lambda' },
  'as Lambda, 1,024 MB: init and first call, ours / best peer': { limit: 0.55, part: 'lambda' },
  'cold, ours / floor': { limit: 1.3, part: 'cold' },
  'warm CPU per promo application, ours / floor': { limit: 1.3, part: 'warm' },
  'getConfig, with / without Accept-Language': { limit: 1.1, part: 'language' },
  'memory after 1,000,000 / after 10,000 calls': { limit: 1.05, part: 'memory' },
  // Each run has it.
  'bundle, each function, KB': { limit: 310, part: undefined },
} as const satisfies Record<string, { readonly limit: number; readonly part: Part | undefined }>;

/** The name of a figure that has a limit. */
export type JudgedFigure = keyof typeof FIGURES;

/** The figures that were measured in a run. */
export type Estimates = Readonly<Partial<Record<JudgedFigure, Estimate>>>;

/** True if a figure is within its limit. */
export interface Verdict {
  readonly figure: JudgedFigure;
  /** The figure of each run that measured it. NaN if there was nothing to compare with. */
  readonly estimates: readonly Estimate[];
  /** The greatest value that holds. */
  readonly limit: number;
  readonly holds: boolean | typeof NOT_MEASURED | typeof AGAIN;
}

/**
 * A verdict beside success and failure: the part of the bench was not selected, or this machine
 * cannot run it.
 */
export const NOT_MEASURED = 'not measured';
/** The interval of the only run lies above the limit: another run decides. */
export const AGAIN = 'measure again';

/**
 * Compares each figure with its limit. It falls short if the intervals of two runs lie above. NaN
 * is above each limit.
 *
 * @param isOnce no figure has a limit: one sample says only that there is one.
 */
export function verdictsOn(runs: readonly Estimates[], isOnce = false): readonly Verdict[] {
  const figures = Object.keys(FIGURES) as JudgedFigure[];
  return figures.map((figure) => {
    const estimates = runs.flatMap((run) => run[figure] ?? []);
    const limit = isOnce ? Number.POSITIVE_INFINITY : FIGURES[figure].limit;
    const above = estimates.filter(({ low }) => !(low <= limit)).length;
    if (estimates.length === 0) return { figure, estimates, limit, holds: NOT_MEASURED };
    const isOpen = above === 1 && estimates.length === 1 && !isOnce;
    return { figure, estimates, limit, holds: isOpen ? AGAIN : above < (isOnce ? 1 : 2) };
  });
}

/** The parts that another run has to measure. */
export function openParts(verdicts: readonly Verdict[]): readonly Part[] {
  const open = verdicts.filter(({ holds }) => holds === AGAIN);
  return [...new Set(open.flatMap(({ figure }) => FIGURES[figure].part ?? []))];
}

/**
 * True if a run succeeded: no figure that was measured falls short, and no candidate was excluded.
 * Without this rule, the exclusion of the best peer would make ours look better.
 */
export function succeeded(
  excluded: Readonly<Record<string, readonly string[]>>,
  verdicts: readonly Verdict[],
): boolean {
  const isShort = verdicts.some(({ holds }) => holds === false || holds === AGAIN);
  return Object.keys(excluded).length === 0 && !isShort;
}
