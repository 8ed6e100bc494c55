import { fieldsIdentity, rolloutIdentity, type Version } from './version.ts';

/** The part of two versions of a client that is compared. */
type ComparedVersion = Pick<Version, 'digest' | 'isDeleted' | 'rollout'>;

/**
 * The change of a rollout. `changed`: its candidate was merged, or somebody edited it. `ended`:
 * other fields than the candidate's became live, as when a finish merged a manual edit.
 */
export type RolloutChange = 'started' | 'widened' | 'changed' | 'finished' | 'stopped' | 'ended';

/** Returns what a version did to a rollout; undefined if nothing. */
export function rolloutChange(
  before: ComparedVersion | undefined,
  after: ComparedVersion,
): RolloutChange | undefined {
  const [was, running] = [before?.rollout, after.rollout];
  if (rolloutIdentity(was) === rolloutIdentity(running)) return undefined;
  if (!running) {
    if (after.digest === was?.digest) return 'finished';
    return before && fieldsIdentity(before) === fieldsIdentity(after) ? 'stopped' : 'ended';
  }
  if (running.id !== was?.id) return 'started';
  return running.percent > was.percent ? 'widened' : 'changed';
}

/** True for a version whose candidate is new, or was edited. */
export function hasNewCandidate(before: ComparedVersion | undefined, after: ComparedVersion) {
  const [was, running] = [before?.rollout, after.rollout];
  return running !== undefined && (running.id !== was?.id || running.digest !== was.digest);
}
