import type { ClientState } from '../clients/client-state.ts';
import { isSameAccess } from '../clients/recorded-access.ts';
import type { Version } from './version.ts';

/** Returns what a version records of a rollout. */
export function rolloutIn({ rollout }: ClientState): Version['rollout'] {
  if (!rollout) return undefined;
  const { id, percent, devices, candidate } = rollout;
  return { id, percent, devices, digest: candidate.digest };
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
