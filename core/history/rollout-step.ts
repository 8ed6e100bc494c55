import type { Version } from './version.ts';

/** The part of two versions of a client that is compared. */
type ComparedVersion = Pick<Version, 'digest' | 'isDeleted' | 'rollout'>;

/**
 * The step of a rollout in a version: the share to which it brought it, or how it ended. `ended`:
 * other fields than the candidate's became live, as when a finish merged a manual edit.
 */
export type RolloutStep = number | 'finished' | 'stopped' | 'ended';

/** Returns what a version did to a rollout; undefined if nothing. */
export function rolloutStep(
  older: ComparedVersion | undefined,
  version: ComparedVersion,
): RolloutStep | undefined {
  const [before, after] = [older?.rollout, version.rollout];
  if (after?.id === before?.id && after?.percent === before?.percent) return undefined;
  if (after) return after.percent;
  if (version.digest === before?.digest) return 'finished';
  return older && hasSameFields(older, version) ? 'stopped' : 'ended';
}

/** A change of App-Ids is a version with the same fields, and so is the start of a rollout. */
export function hasSameFields(one: ComparedVersion, other: ComparedVersion): boolean {
  return one.digest === other.digest && !one.isDeleted === !other.isDeleted;
}
