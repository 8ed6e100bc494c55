import { checkConfiguration } from '../configuration/check-configuration.ts';
import type { RolloutShare } from '../configuration/rollout.ts';
import type { StoredContent } from '../configuration/stored-content.ts';
import type { Finding } from '../finding.ts';
import { onUse } from '../text.ts';
import { accessFindings } from './access-findings.ts';
import { fingerprintOf } from './app-id-fingerprint.ts';
import { accessFor } from './client-access.ts';
import { type PromoCodeCase, promoCodeCaseFindings } from './promo-code-case.ts';
import type { StoredClient } from './read-client.ts';
import { type RecordedAccess, shownAccess } from './recorded-access.ts';
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
  /** Findings about the access lists and the configuration. */
  readonly findings?: readonly Finding[];
  /** True after the client was removed: nothing of it is left but the rule for its codes. */
  readonly isRemoved?: boolean | undefined;
}

/** The state of a client that has an item. */
export type StateOfItem = ClientState &
  Required<Pick<ClientState, 'access' | 'findings'>> &
  Pick<StoredClient, 'clientId' | 'item' | 'live' | 'lists' | 'rollout' | 'lastChange'>;

/**
 * Returns the state of a client by its item. What takes time is computed when it is first asked.
 *
 * @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` is locked out.
 * @param others access lists of the client before or after, which know more App-Ids.
 */
export function stateOfItem(
  client: StoredClient,
  requiresUserPoolClientIds: boolean,
  ...others: readonly (RecordedAccess | undefined)[]
): StateOfItem {
  const { clientId, item, live, lists, rollout, lastChange, promoCodesIgnoreCase } = client;
  const access = onUse(() => shownAccess(accessOf(client, requiresUserPoolClientIds), ...others));
  const findings = onUse(() => [
    ...accessFindings(client, requiresUserPoolClientIds),
    ...promoCodeCaseFindings(item),
    ...checkConfiguration(item),
  ]);
  return {
    clientId,
    item,
    live,
    lists,
    rollout,
    lastChange,
    promoCodesIgnoreCase,
    get access() {
      return access();
    },
    get findings() {
      return findings();
    },
  };
}

/** Returns who may call, as a deployment applies it, with values that may be App-Ids. */
export function accessOf(
  { lists }: StoredClient,
  requiresUserPoolClientIds: boolean,
): RecordedAccess {
  const { appIds, userPoolClientIds } = accessFor(lists, requiresUserPoolClientIds);
  return {
    fingerprints: appIds.map(fingerprintOf).toSorted(),
    userPoolClientIds: userPoolClientIds?.toSorted(),
  };
}

/** True if every request of a client is refused. */
export function isLockedOut({ findings = [] }: Pick<ClientState, 'findings'>): boolean {
  return findings.some(({ code }) => code === 'lockedOut');
}
