/**
 * The limits of the service's performance. A figure is a ratio unless its name says otherwise. The
 * worst operation or function counts. `docs/performance.md` explains the figures.
 */
export const LIMITS = {
  'as Lambda, 1,024 MB: first call, ours / floor': 0.7,
  'as Lambda, 1,024 MB: init and first call, ours / floor': 1.35,
  'as Lambda, 1,024 MB: init and first call, ours / best peer': 0.5,
  'cold, ours / floor': 1.25,
  'cold, ours / best peer': 0.68,
  'bundle, each function, KB': 330,
  'warm CPU per promo application, ours / floor': 1.3,
  'warm CPU, getConfig cached, ours / floor, read': 0.35,
  'warm, CPU and wall, ours / best peer': 0.9,
  'getConfig, growth of time / growth of bytes': 1,
  'getConfig, with / without Accept-Language': 1.1,
  'getConfig, with / without a rollout': 1.1,
  'memory after 1,000,000 / after 10,000 calls': 1.05,
} as const;

/** The name of a figure that has a limit. */
export type JudgedFigure = keyof typeof LIMITS;

/** True if a figure is within its limit. */
export interface Verdict {
  readonly figure: JudgedFigure;
  /** NaN if there was nothing to compare with, or if it was not measured. */
  readonly value: number;
  /** The greatest value that holds. */
  readonly limit: number;
  readonly holds: boolean | typeof NOT_MEASURED;
}

/**
 * Neither success nor failure: the part of the bench was not selected, or this machine cannot run
 * it.
 */
export const NOT_MEASURED = 'not measured';

/**
 * Compares each figure with its limit. NaN is never within a limit. A figure that is missing was
 * not measured.
 *
 * @param isOnce no figure has a limit: one sample says only that there is one.
 */
export function verdictsOn(
  values: Readonly<Partial<Record<JudgedFigure, number>>>,
  isOnce = false,
): readonly Verdict[] {
  const figures = Object.keys(LIMITS) as JudgedFigure[];
  return figures.map((figure) => {
    const { [figure]: value = Number.NaN } = values;
    const limit = isOnce ? Number.POSITIVE_INFINITY : LIMITS[figure];
    return { figure, value, limit, holds: figure in values ? value <= limit : NOT_MEASURED };
  });
}

/**
 * True if a run succeeded: every figure that was measured is within its limit, and no candidate was
 * excluded. Without this rule, the exclusion of the best peer would make ours look better.
 */
export function succeeded(
  excluded: Readonly<Record<string, readonly string[]>>,
  verdicts: readonly Verdict[],
): boolean {
  return Object.keys(excluded).length === 0 && verdicts.every(({ holds }) => holds !== false);
}
