import type { ClientState } from '../clients/client-state.ts';
import { StoredConfiguration } from '../clients/stored-configuration.ts';
import type { ToolRules, Version, VersionWithContent } from './version.ts';

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

/** Returns the rules of a client as a tool last set them, or else as they were first recorded. */
export function toolRulesOf({
  toolRules,
  promoCodesIgnoreCase,
  access: { userPoolClientIds },
}: Pick<Version, 'toolRules' | 'promoCodesIgnoreCase' | 'access'>): ToolRules {
  return toolRules ?? { promoCodesIgnoreCase, userPoolClientIds };
}

/** Returns the state of a client as a tool last set its rules, as far as these are known. */
export function stateOfRules(version: Version): ClientState {
  const { promoCodesIgnoreCase, userPoolClientIds } = toolRulesOf(version);
  const access = { ...version.access, userPoolClientIds };
  return { ...stateOfVersion(version), promoCodesIgnoreCase, access };
}
