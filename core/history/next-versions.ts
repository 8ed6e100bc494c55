import type { StateOfItem } from '../clients/client-state.ts';
import { contentDigest } from '../clients/content-digest.ts';
import { isLater, type LastChange, MAX_CLOCK_DIFFERENCE_MS } from '../clients/last-change.ts';
import type { StoredRollout } from '../clients/read-client.ts';
import { accessIdentity, redactedAccess } from '../clients/recorded-access.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import { countFindings } from '../finding.ts';
import type { ItemChange } from './item-change.ts';
import {
  type ClientRules,
  decidedRules,
  RECORDED_BY_NEXT,
  type Version,
  type VersionWithContent,
  versionIdentity,
} from './version.ts';

/*
 * A change of an item becomes at most two versions:
 *
 * | Version of      | Made                                                                           |
 * | --------------- | ------------------------------------------------------------------------------ |
 * | the item before | if the newest version is another one, or knows lower ids: it closes a gap      |
 * | the item after  | unless content, access and findings are the same, and no tool sets its rules   |
 *
 * Each has the author of the item's `lastChange` if that made it. All others are manual edits:
 *
 * | Change      | `lastChange` made it if it is new, and                                         |
 * | ----------- | ------------------------------------------------------------------------------ |
 * | item before |                                                                                |
 * | creation    | names this client as created, and is of the time of the record                 |
 * | update      | can follow that of the item before, and is of the time of the record           |
 * | deletion    | announces a removal, and is of the time of the record; it need not be new      |
 *
 * `lastChange` can belong to another change: "Duplicate item" in the console copies it to a second
 * item, and storing a saved image again restores an old one.
 */

/** The facts that decide what a change becomes, read before anything is written. */
export interface Facts {
  readonly before: StateOfItem | undefined;
  readonly after: StateOfItem | undefined;
  /** The newest version of the client. */
  readonly newest: Version | undefined;
  /** Tells for either item if its `lastChange` is new: no version since its time has its id. */
  readonly isNew: Readonly<Record<'before' | 'after', boolean>>;
}

/** The versions that a change adds, with numbers in this order. */
interface NextVersions {
  /** The version of the item before the change, whose own record never arrived. */
  readonly gap?: VersionWithContent | undefined;
  /** The version of the change. */
  readonly next?: VersionWithContent;
}

/** Returns the versions that a change adds to the history of its client. */
export function nextVersions(change: ItemChange, facts: Facts): NextVersions {
  const { before, after, newest, isNew } = facts;
  const gap =
    before && !isRecorded(before, newest)
      ? versionBefore(change, before, newest, isNew.before)
      : undefined;
  const last = gap ?? newest;
  const lastChange = stampOf(change, before, after);
  const isByTool = !after || (isNew.after && lastChange?.id !== last?.changeId);
  const made = isByTool ? lastChange : undefined;
  const decidesRules = made?.setsAppClients && last?.rulesBeforeManualEdits;
  const isSame = before && after && recordIdentity(before, last) === recordIdentity(after, last);
  if (isSame && !decidesRules) return { gap };
  return { gap, next: versionAfter(change, facts, last, made) };
}

/** True if the newest version records an item, and its ids. */
function isRecorded(state: StateOfItem, newest: Version | undefined): boolean {
  return (
    newest !== undefined &&
    versionIdentity(recordedOf(state, newest, undefined)) === versionIdentity(newest)
  );
}

/** Returns the identity of all that a version records of an item. */
function recordIdentity(state: StateOfItem, last: Version | undefined): string {
  const { live, rollout, findings } = state;
  const contents = [live.written, rollout?.candidate.written];
  const identity = versionIdentity(recordedOf(state, last, undefined));
  return JSON.stringify([identity, findings.length, ...contents]);
}

/** Returns the `lastChange` that made a change, unless it is not new. */
export function stampOf(
  { clientId, at }: ItemChange,
  before: StateOfItem | undefined,
  after: StateOfItem | undefined,
): LastChange | undefined {
  const { lastChange } = after ?? before ?? {};
  if (!lastChange) return undefined;
  const difference = Math.abs(Date.parse(at) - Date.parse(lastChange.at));
  const isOfRecord = difference <= MAX_CLOCK_DIFFERENCE_MS;
  const canBelong = !after
    ? lastChange.removes
    : before
      ? isLater(lastChange, before.lastChange)
      : lastChange.creates === clientId;
  return isOfRecord && canBelong ? lastChange : undefined;
}

function versionBefore(
  { clientId, eventId, position, at }: ItemChange,
  before: StateOfItem,
  newest: Version | undefined,
  isNew: boolean,
): VersionWithContent {
  const { lastChange } = before;
  const { stream, sequenceNumber } = position;
  return {
    clientId,
    version: (newest?.version ?? 0) + 1,
    eventId: `${eventId}${RECORDED_BY_NEXT}`,
    // Others may have edited it since its author, so nothing in it was decided.
    ...recordedOf(before, newest, undefined),
    ...authorOf(lastChange, isNew),
    // It was stored before the change, whatever the clock of its author said.
    at: lastChange && isNew && Date.parse(lastChange.at) < Date.parse(at) ? lastChange.at : at,
    // At the position of the change, that would be late. The records before it are: an invocation
    // may still be recording one that Lambda has given up.
    position: { stream, sequenceNumber: String(BigInt(sequenceNumber) - 1n) },
  };
}

/**
 * @param last the version before it, of the item before.
 * @param made the change, if a tool made it.
 */
function versionAfter(
  { clientId, eventId, position, at }: ItemChange,
  { before, after }: Facts,
  last: Version | undefined,
  made: LastChange | undefined,
): VersionWithContent {
  const author = authorOf((after ?? before)?.lastChange, made !== undefined);
  const version = (last?.version ?? 0) + 1;
  const common = { clientId, version, at, eventId, position, ...author };
  if (after) return { ...common, ...recordedOf(after, last, made) };
  const rules = {
    promoCodesIgnoreCase: last?.promoCodesIgnoreCase,
    access: { fingerprints: [] },
  };
  return {
    ...common,
    ...rules,
    rulesBeforeManualEdits: undecidedRules(rules, last, undefined),
    content: {},
    digest: contentDigest({}),
    highestId: last?.highestId ?? 0,
    findings: 0,
    errors: 0,
    isDeleted: true,
  };
}

/** Returns what a version has of an item. */
function recordedOf(state: StateOfItem, last: Version | undefined, made: LastChange | undefined) {
  const { live, rollout, promoCodesIgnoreCase, findings } = state;
  const access = redactedAccess(state.access, last?.access);
  const highest = highestIdIn(live.attributes, last?.highestId);
  return {
    content: live.content,
    candidate: rollout?.candidate.content,
    digest: live.digest,
    rollout: rollout && rolloutIn(rollout),
    promoCodesIgnoreCase,
    findings: findings.length,
    errors: countFindings(findings).errors,
    highestId: rollout ? highestIdIn(rollout.candidate.attributes, highest) : highest,
    rulesBeforeManualEdits: undecidedRules({ promoCodesIgnoreCase, access }, last, made),
    access,
  };
}

function rolloutIn({ id, percent, devices, candidate }: StoredRollout): Version['rollout'] {
  return { id, percent, devices, digest: candidate.digest };
}

/**
 * Returns the rules as a tool last set them, if those of the next version are others. Only a tool
 * that creates the client or sets its app clients decides about them.
 */
function undecidedRules(
  next: Pick<Version, 'promoCodesIgnoreCase' | 'access'>,
  last: Version | undefined,
  made: LastChange | undefined,
): ClientRules | undefined {
  if (!last || made?.creates !== undefined) return undefined;
  const own = decidedRules(next);
  const { promoCodesIgnoreCase, userPoolClientIds: former } = decidedRules(last);
  const { userPoolClientIds } = made?.setsAppClients
    ? own
    : redactedAccess({ fingerprints: [], userPoolClientIds: former }, next.access);
  const isDecided =
    promoCodesIgnoreCase === own.promoCodesIgnoreCase &&
    appClientsIdentity(userPoolClientIds) === appClientsIdentity(own.userPoolClientIds);
  return isDecided ? undefined : { promoCodesIgnoreCase, userPoolClientIds };
}

function appClientsIdentity(userPoolClientIds: ClientRules['userPoolClientIds']): string {
  return accessIdentity({ fingerprints: [], userPoolClientIds });
}

/** Returns the author of a version: that of `lastChange` if it made it. */
function authorOf(lastChange: LastChange | undefined, isByTool: boolean) {
  const changeId = lastChange?.id;
  if (!lastChange || !isByTool) return { source: 'manualEdit', changeId } as const;
  const { by, message, restores } = lastChange;
  return { source: 'published', by, message, restores, changeId } as const;
}
