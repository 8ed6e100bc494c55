import type { RecordedRollout } from '../configuration/rollout.ts';
import { isSameRollout } from './recorded-state.ts';
import { type RolloutStep, rolloutStep } from './rollout-step.ts';
import type { Version } from './version.ts';

/** The change of a rollout. */
export interface RolloutChange {
  /** `changed`: by hand, such as its devices, or to a smaller share. */
  readonly kind: 'started' | 'widened' | 'changed' | Exclude<RolloutStep, number>;
  /** The rollout after the change; undefined if it ended. */
  readonly running: RecordedRollout | undefined;
  /** True if its candidate is new, or was edited. */
  readonly hasNewCandidate: boolean;
}

export function rolloutChange(
  before: Pick<Version, 'digest' | 'rollout'> | undefined,
  version: Version,
): RolloutChange | undefined {
  const [was, running] = [before?.rollout, version.rollout];
  const step = rolloutStep(before, version);
  if (!running)
    return typeof step === 'string' ? { kind: step, running, hasNewCandidate: false } : undefined;
  if (isSameRollout(was, running)) return undefined;
  if (running.id !== was?.id) return { kind: 'started', running, hasNewCandidate: true };
  const kind = running.percent > was.percent ? 'widened' : 'changed';
  return { kind, running, hasNewCandidate: running.digest !== was.digest };
}
