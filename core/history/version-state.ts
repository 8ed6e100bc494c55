import type { ClientState } from '../clients/client-state.ts';
import { StoredConfiguration } from '../clients/stored-configuration.ts';
import { decidedRules, type Version, type VersionWithContent } from './version.ts';

/**
 * Returns the state of a client by a version in its history. Its configurations are unknown if the
 * version was read without its content, or recorded without it.
 */
export function stateOfVersion(version: Version | VersionWithContent): ClientState {
  const { digest, rollout, access, promoCodesIgnoreCase, isDeleted, isTooLarge } = version;
  const { content, candidate } = 'content' in version ? version : {};
  return {
    live: new StoredConfiguration(isTooLarge ? undefined : content, digest),
    rollout: rollout && {
      ...rollout,
      candidate: new StoredConfiguration(candidate, rollout.digest),
    },
    access,
    promoCodesIgnoreCase,
    isRemoved: isDeleted,
  };
}

/** Returns the state of a client as a tool last set its rules, as far as these are known. */
export function stateByDecidedRules(version: Version): ClientState {
  const { promoCodesIgnoreCase, userPoolClientIds } = decidedRules(version);
  const access = { ...version.access, userPoolClientIds };
  return { ...stateOfVersion(version), promoCodesIgnoreCase, access };
}
