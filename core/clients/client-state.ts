import { readItem } from '../aws/attribute-values.ts';
import { CLIENT_ATTRIBUTES, type ConfigsItem } from '../client-attributes.ts';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import type { RolloutShare } from '../configuration/rollout.ts';
import type { StoredContent } from '../configuration/stored-content.ts';
import type { Finding } from '../finding.ts';
import { lazily } from '../lazily.ts';
import { accessFindings } from './access-findings.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';
import { type Access, type AccessRules, accessAsDeployed, lockedOutBy } from './client-access.ts';
import { type PromoCodeCase, promoCodeCaseFindings } from './promo-code-case.ts';
import type { StoredClient } from './read-client.ts';
import { type RecordedAccess, redactedAccess } from './recorded-access.ts';
import { type StoredAppId, storedAppIds } from './stored-app-ids.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

/**
 * The state of a client, by its item or by a version in its history. What is undefined is unknown,
 * and compares as equal; without a rollout, none runs.
 */
export interface ClientState extends PromoCodeCase {
  readonly live: StoredConfiguration<StoredContent | undefined>;
  /** The rollout that runs. */
  readonly rollout?: (RolloutShare & { readonly candidate: ClientState['live'] }) | undefined;
  /** Shows who may call, without the App-Ids themselves. */
  readonly access?: RecordedAccess;
  /** The app clients whose tokens are accepted. */
  readonly appClients?: Access['appClients'];
  /** True if every request is refused. */
  readonly isLockedOut?: boolean;
  /** Findings about the access lists and the configuration. */
  readonly findings?: readonly Finding[];
  /** True after the client was removed: nothing of it is left but the rule for its codes. */
  readonly isRemoved?: boolean | undefined;
}

/** The state of a client that has an item. */
export type StateOfItem = ClientState &
  Required<Pick<ClientState, 'access' | 'appClients' | 'findings' | 'isLockedOut'>> &
  Pick<StoredClient, 'clientId' | 'live' | 'rollout' | 'lastChange'> & {
    /** The values of the attribute `appIds`. */
    readonly appIds: readonly StoredAppId[];
    /** The attributes that the service does not know. */
    readonly unknown: ConfigsItem;
  };

/**
 * Returns the state of a client by its item. What takes time is computed when it is first asked.
 *
 * @param others the client before or after, which knows more App-Ids.
 */
export function stateOfItem(
  client: StoredClient,
  rules: AccessRules,
  ...others: readonly (StoredClient | undefined)[]
): StateOfItem {
  const { clientId, raw, live, lists, rollout, lastChange, promoCodesIgnoreCase } = client;
  const { appIds, appClients } = accessAsDeployed(lists, rules);
  const lockOuts = lockedOutBy({ appIds, appClients });
  const accessIn = (one?: StoredClient) => one && storedAccess(one, rules);
  const access = lazily(() => redactedAccess(storedAccess(client, rules), ...others.map(accessIn)));
  const findings = lazily(() => {
    const item = readItem(raw);
    const ofAccess = accessFindings(item, lockOuts);
    return [...ofAccess, ...promoCodeCaseFindings(item), ...checkConfiguration(item)];
  });
  return {
    clientId,
    live,
    rollout,
    lastChange,
    promoCodesIgnoreCase,
    appClients,
    isLockedOut: lockOuts.length > 0,
    get access() {
      return access();
    },
    get findings() {
      return findings();
    },
    get appIds() {
      return storedAppIds(client);
    },
    get unknown() {
      return unknownAttributes(client);
    },
  };
}

/** Returns the attributes of a client's item that the service does not know. */
export function unknownAttributes({ raw }: StoredClient): ConfigsItem {
  const known: readonly string[] = CLIENT_ATTRIBUTES;
  const unknown = Object.entries(raw).filter(([name]) => !known.includes(name));
  return readItem(Object.fromEntries(unknown));
}

/** Returns the access lists as they are stored, with values that may be App-Ids. */
export function storedAccess(
  { lists: { appIds, userPoolClientIds } }: StoredClient,
  { requiresUserPoolClientIds }: AccessRules,
): RecordedAccess {
  const ids = userPoolClientIds ?? (requiresUserPoolClientIds ? [] : undefined);
  return { fingerprints: appIds.map(fingerprintOf).toSorted(), userPoolClientIds: ids?.toSorted() };
}
