import type { ClientState, StateOfItem } from '../clients/client-state.ts';
import { isWritten } from '../clients/content-digest.ts';
import { isSameAccess } from '../clients/recorded-access.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import { countFindings } from '../finding.ts';
import type { Version } from './version.ts';
import { stateOfVersion } from './version-state.ts';

/** Returns what a version records of an item. */
export function recordedState(state: StateOfItem) {
  const { live, rollout, promoCodesIgnoreCase, findings } = state;
  return {
    content: live.content,
    candidate: rollout?.candidate.content,
    digest: live.digest,
    rollout: rolloutIn(state),
    promoCodesIgnoreCase,
    findings: findings.length,
    errors: countFindings(findings).errors,
  };
}

/** Returns what a version records of a rollout. */
function rolloutIn({ rollout }: ClientState): Version['rollout'] {
  if (!rollout) return undefined;
  const { id, percent, devices, candidate } = rollout;
  return { id, percent, devices, digest: candidate.digest };
}

/** True if the newest version records the item as it was, and its ids. */
export function isContentOf(before: StateOfItem, newest: Version | undefined): boolean {
  return (
    newest !== undefined &&
    isSameContent(before, stateOfVersion(newest)) &&
    !(highestOf(before, newest) > newest.highestId)
  );
}

/** True if two states are the same, except for findings and what a digest leaves out. */
export function isSameContent(one: ClientState, other: ClientState): boolean {
  return (
    one.live.digest === other.live.digest &&
    isSameRollout(rolloutIn(one), rolloutIn(other)) &&
    one.promoCodesIgnoreCase === other.promoCodesIgnoreCase &&
    (!one.access || !other.access || isSameAccess(one.access, other.access))
  );
}

/** True if two rollouts are the same. The keys of a stored map have no order. */
export function isSameRollout(...rollouts: [Version['rollout'], Version['rollout']]): boolean {
  const [one, other] = rollouts.map(
    (rollout) =>
      rollout && JSON.stringify([rollout.id, rollout.percent, rollout.devices, rollout.digest]),
  );
  return one === other;
}

/** True if two states of an item differ in nothing that a version records. */
export function isSame(one: StateOfItem, other: StateOfItem): boolean {
  const [candidate, otherCandidate] = [one, other].map((state) => state.rollout?.candidate.content);
  return (
    one.findings.length === other.findings.length &&
    isSameContent(one, other) &&
    isWritten(one.live.content, other.live.content) &&
    isWritten(candidate ?? {}, otherCandidate ?? {})
  );
}

/** Returns the highest id in an item, with its candidate, and in the history up to a version. */
export function highestOf({ item, rollout }: StateOfItem, newest: Version | undefined): number {
  const live = highestIdIn(item, newest?.highestId);
  return rollout ? highestIdIn(rollout.item, live) : live;
}
