import type { RawItem } from '../client-attributes.ts';
import { accessFindings } from '../clients/access-findings.ts';
import { fingerprintOf } from '../clients/app-id-fingerprint.ts';
import { accessFor } from '../clients/client-access.ts';
import { contentDigest, isWritten } from '../clients/content-digest.ts';
import type { LastChange } from '../clients/last-change.ts';
import { ignoresCase, promoCodeCaseFindings } from '../clients/promo-code-case.ts';
import { readClient, type StoredRollout } from '../clients/read-client.ts';
import { isSameAccess, shownAccess } from '../clients/recorded-access.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import type { Compared } from '../effects/change-effects.ts';
import { countFindings, type Finding } from '../finding.ts';
import type { Version, VersionWithContent } from './version.ts';

/** The state of an item that a version records. */
export type State = Pick<VersionWithContent, 'digest' | 'errors'> &
  Compared & {
    readonly listed: readonly Finding[];
    readonly lastChange: LastChange | undefined;
  };

/** The rest that decides the case of a change. */
export interface Situation {
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** The newest version of the client. */
  readonly newest: Version | undefined;
  /** False after DynamoDB refused the item before the change. */
  readonly canCloseGap: boolean;
}

/** Reads the state of an item. */
export function stateOf(raw: RawItem, requiresUserPoolClientIds: boolean): State {
  const client = readClient(raw);
  const { item, live: content, rollout, lastChange } = client;
  const { appIds, userPoolClientIds } = accessFor(client.access, requiresUserPoolClientIds);
  const listed = [
    ...accessFindings(client, requiresUserPoolClientIds),
    ...promoCodeCaseFindings(item),
    ...checkConfiguration(item),
  ];
  return {
    client,
    content,
    digest: contentDigest(content),
    ...(rollout && recordedRollout(rollout)),
    ...(ignoresCase(item) && { promoCodesIgnoreCase: true }),
    access: {
      fingerprints: appIds.map(fingerprintOf).toSorted(),
      userPoolClientIds: userPoolClientIds?.toSorted(),
    },
    findings: listed.length,
    errors: countFindings(listed).errors,
    listed,
    lastChange,
    isLockedOut: listed.some(({ code }) => code === 'lockedOut'),
  };
}

/** An App-Id of one of the two states may be among the app clients of the other. */
export function withShownAccess(...states: readonly [State | undefined, State | undefined]) {
  const lists = states.map((state) => state?.access);
  return states.map((state) => state && { ...state, access: shownAccess(state.access, ...lists) });
}

/** Returns what a version has of a rollout, and its candidate. */
function recordedRollout(rollout: StoredRollout): Pick<State, 'rollout' | 'candidate'> {
  const { id, percent, devices, content: candidate } = rollout;
  return { rollout: { id, percent, devices, digest: contentDigest(candidate) }, candidate };
}

/** True if the newest version records the item as it was, and its ids. */
export function isContentOf(before: State, newest: Version | undefined): boolean {
  return (
    newest !== undefined &&
    isSameContent(before, newest) &&
    !(highestOf(before, newest) > newest.highestId)
  );
}

function isSameContent(
  one: State,
  other: Pick<State, 'digest' | 'rollout' | 'promoCodesIgnoreCase' | 'access'>,
): boolean {
  return (
    one.digest === other.digest &&
    shareIn(one) === shareIn(other) &&
    one.promoCodesIgnoreCase === other.promoCodesIgnoreCase &&
    isSameAccess(one.access, other.access)
  );
}

/** Writes a rollout for a comparison. The keys of a stored map have no order. */
export function shareIn({ rollout }: Pick<State, 'rollout'>): string | undefined {
  if (!rollout) return undefined;
  const { id, percent, devices, digest } = rollout;
  return JSON.stringify([id, percent, devices, digest]);
}

/** True if two states of an item differ in nothing that a version records. */
export function isSame(one: State, other: State): boolean {
  return (
    one.findings === other.findings &&
    isSameContent(one, other) &&
    isWritten(one.content, other.content) &&
    isWritten(one.candidate ?? {}, other.candidate ?? {})
  );
}

/** Returns the highest id in an item, with its candidate, and in the history up to a version. */
export function highestOf({ client }: State, newest: Version | undefined): number {
  const { item, rollout } = client;
  const live = highestIdIn(item, newest?.highestId);
  return rollout ? highestIdIn(rollout.candidate, live) : live;
}
