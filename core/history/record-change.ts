import { isInvalid, orUnavailable } from '../aws/or-unavailable.ts';
import type { RawItem } from '../client-attributes.ts';
import { accessFindings } from '../clients/access-findings.ts';
import { fingerprintOf } from '../clients/app-id-fingerprint.ts';
import { accessFor } from '../clients/client-access.ts';
import { contentDigest, isWritten } from '../clients/content-digest.ts';
import { isLater, type LastChange, MAX_CLOCK_DIFFERENCE_MS } from '../clients/last-change.ts';
import { ignoresCase, promoCodeCaseFindings } from '../clients/promo-code-case.ts';
import { readClient, type StoredRollout } from '../clients/read-client.ts';
import { isSameAccess, shownAccess } from '../clients/recorded-access.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import type { RecordedRollout } from '../configuration/rollout.ts';
import { type ChangeEffects, type Compared, changeEffects } from '../effects/change-effects.ts';
import { harmIn } from '../effects/effect.ts';
import { countFindings, type Finding } from '../finding.ts';
import { type RolloutStep, rolloutStep } from './rollout-step.ts';
import { decidesRules, inheritedRules } from './tool-rules.ts';
import {
  RECORDED_BY_NEXT,
  type StreamPosition,
  type Version,
  type VersionWithContent,
} from './version.ts';
import { isBefore, versionsOfChange } from './versions-of-change.ts';
import { newestVersions, type VersionsTable, writeVersion } from './versions-table.ts';

/*
 * The cases of a change, by the newest version of its client. The first one that applies counts:
 *
 * | Case        | Newest version              | Item before, item after        | Action                         |
 * | ----------- | --------------------------- | ------------------------------ | ------------------------------ |
 * | `recorded`  | of this record              |                                | Return it again                |
 * | `late`      | of a later record           |                                | None                           |
 * | `gap`       | other than the item before  | an item before                 | Record the item before, repeat |
 * | `unchanged` |                             | same content, access, findings | None, unless a tool sets rules |
 * | `next`      |                             | any other                      | Record the item after          |
 *
 * A version is other than an item if its digest, rollout or access is, or if it knows lower ids.
 *
 * The author of a version is that of the item's `lastChange`, if that belongs to the change. All
 * other changes are manual edits:
 *
 * | Change           | `lastChange` belongs to it if it                                                        |
 * | ---------------- | --------------------------------------------------------------------------------------- |
 * | item before      | is new                                                                                  |
 * | creation         | names this client as created, is of the time of the record, and is new                  |
 * | update           | can follow that of the item before, is of the time of the record, and is new            |
 * | deletion         | announces a removal, and is of the time of the record                                   |
 *
 * It is new if no version since its time has its id. `lastChange` can belong to another change:
 * "Duplicate item" in the console copies it to a second item, and storing a saved image again
 * restores an old one.
 */

/** A record of the Configs table's stream: a client's item before and after a change. */
export interface ItemChange {
  readonly clientId: string;
  /** The id of the record. */
  readonly eventId: string;
  readonly position: StreamPosition;
  /** Time when DynamoDB accepted the change, in ISO 8601. */
  readonly at: string;
  /** Undefined if the change created the item. */
  readonly before: RawItem | undefined;
  /** Undefined if the change deleted the item. */
  readonly after: RawItem | undefined;
}

/** A recorded change. */
export interface RecordedChange {
  readonly version: Version;
  /** The harm to the client, in words; empty if there is none. */
  readonly harm: readonly string[];
  readonly effects: ChangeEffects;
  readonly rollout: RolloutChange | undefined;
  /** Findings in the client's item after the change. */
  readonly findings: readonly Finding[];
  /** True if this call recorded it; false if an earlier delivery of its record did. */
  readonly isNew: boolean;
}

/** What a change did to a rollout. */
export interface RolloutChange {
  /** `changed`: by hand, such as its devices, or to a smaller share. */
  readonly kind: 'started' | 'widened' | 'changed' | Exclude<RolloutStep, number>;
  /** The rollout after the change; undefined if it ended. */
  readonly running: RecordedRollout | undefined;
}

/** Options of `recordChange`. */
interface RecordingOptions {
  /** True if a client without `userPoolClientIds` is locked out. */
  readonly requiresUserPoolClientIds: boolean;
  readonly abortSignal?: AbortSignal;
}

/** The state of an item that a version records. */
type State = Pick<VersionWithContent, 'digest' | 'errors'> &
  Compared & {
    readonly listed: readonly Finding[];
    readonly lastChange: LastChange | undefined;
  };

/**
 * Records a change as the next version of its client. The records of a client must arrive in order,
 * as in a stream. Redelivered records, however late, change nothing.
 *
 * If the item before the change is not the newest version, the history has a gap: the client is
 * older than its history, or a record was lost. The item before then becomes a version too, so that
 * it can be restored.
 *
 * @returns undefined if the record is older than the newest version, or changes neither content,
 *   access nor findings. The change recorded last is returned again: its first caller may have
 *   failed before reporting it.
 * @throws what `orUnavailable` throws; `canSucceedLater` tells if the record can succeed later.
 */
export async function recordChange(
  table: VersionsTable,
  change: ItemChange,
  { requiresUserPoolClientIds, abortSignal }: RecordingOptions,
): Promise<RecordedChange | undefined> {
  const read = (raw?: RawItem) => raw && stateOf(raw, requiresUserPoolClientIds);
  const [before, after] = withShownAccess(read(change.before), read(change.after));
  const outcomeOf = (version: Version, isNew: boolean, former?: Version): RecordedChange => {
    const effects = changeEffects(before, after, version.source, former);
    const harm = isAnnounced(before, version) ? [] : harmIn(effects.live);
    const rollout = rolloutChange(before, version);
    return { version, harm, effects, rollout, findings: after?.listed ?? [], isNew };
  };
  let hasWritten = false;
  let canCloseGap = true;
  for (;;) {
    const [newest, former] = await orUnavailable(
      newestVersions(table, change.clientId, before ? 1 : 2, abortSignal),
    );
    switch (caseOf(change, { before, after, newest, canCloseGap })) {
      case 'recorded':
        // Its own write succeeded, but the response was lost and the AWS SDK's retry was refused.
        return newest && outcomeOf(newest, hasWritten, former);
      case 'late':
      case 'unchanged':
        return undefined;
      case 'gap': {
        if (!before) return undefined;
        const isOwn = await hasNewChange(table, before, newest, abortSignal);
        const version = versionBefore(change, before, newest, isOwn);
        canCloseGap = await closeGap(table, version, abortSignal);
        break;
      }
      case 'next': {
        hasWritten = true;
        const isOwn =
          canBelong(change, before, after) &&
          (!after || (await hasNewChange(table, after, newest, abortSignal)));
        const version = versionAfter(change, { before, after, newest }, isOwn);
        // Undefined if another call wrote this number, such as an invocation that Lambda gave up
        // but that still runs. Its version may be this one.
        const written = await writeWhatFits(table, version, abortSignal);
        if (!written) break;
        const { content: _, candidate: __, ...summary } = written;
        return outcomeOf(summary, true, newest);
      }
    }
  }
}

/** True for the removal of a client that was created to be removed, as the smoke checks do it. */
function isAnnounced(before: State | undefined, version: Version): boolean {
  const { creates, removes } = before?.lastChange ?? {};
  return version.isDeleted === true && version.version === 2 && !!removes && !!creates;
}

function rolloutChange(before: State | undefined, version: Version): RolloutChange | undefined {
  const [was, running] = [before?.rollout, version.rollout];
  const step = rolloutStep(before, version);
  if (!running) return typeof step === 'string' ? { kind: step, running } : undefined;
  if (before && shareIn(before) === shareIn(version)) return undefined;
  if (running.id !== was?.id) return { kind: 'started', running };
  return { kind: running.percent > was.percent ? 'widened' : 'changed', running };
}

/** The rest that decides the case of a change. */
interface Situation {
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** The newest version of the client. */
  readonly newest: Version | undefined;
  /** False after DynamoDB refused the item before the change. */
  readonly canCloseGap: boolean;
}

/** Tells which of the cases above a change is. */
function caseOf(
  { eventId, position }: ItemChange,
  { before, after, newest, canCloseGap }: Situation,
): 'recorded' | 'late' | 'gap' | 'unchanged' | 'next' {
  if (newest?.eventId === eventId) return 'recorded';
  if (newest && isAtOrAfter(newest.position, position)) return 'late';
  if (canCloseGap && before && !isContentOf(before, newest)) return 'gap';
  const isUnchanged =
    before && after && isSame(before, after) && !decidesRules(after.lastChange, newest);
  return isUnchanged ? 'unchanged' : 'next';
}

/** Records the item before a change. Returns false if DynamoDB cannot store it in the history. */
async function closeGap(
  table: VersionsTable,
  version: VersionWithContent,
  abortSignal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await writeWhatFits(table, version, abortSignal);
    return true;
  } catch (error) {
    // The item before cannot be in the history. The item after can.
    if (isInvalid(error)) return false;
    throw error;
  }
}

/**
 * Writes a version, without the candidate or all of its content if that does not fit: an item of
 * almost 400 KB leaves no room for the other attributes. Digests still tell the next change what it
 * follows.
 *
 * @returns the version as written; undefined if another call has written its number.
 */
async function writeWhatFits(
  table: VersionsTable,
  version: VersionWithContent,
  abortSignal: AbortSignal | undefined,
): Promise<VersionWithContent | undefined> {
  try {
    return (await writeVersion(table, version, abortSignal)) ? version : undefined;
  } catch (error) {
    if (!isInvalid(error) || version.isTooLarge) throw error;
    const smaller = version.candidate
      ? { ...version, candidate: undefined }
      : { ...version, content: {}, isTooLarge: true };
    return writeWhatFits(table, smaller, abortSignal);
  }
}

function stateOf(raw: RawItem, requiresUserPoolClientIds: boolean): State {
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
function withShownAccess(...states: readonly [State | undefined, State | undefined]) {
  const lists = states.map((state) => state?.access);
  return states.map((state) => state && { ...state, access: shownAccess(state.access, ...lists) });
}

/** Returns what a version has of a rollout, and its candidate. */
function recordedRollout(rollout: StoredRollout): Pick<State, 'rollout' | 'candidate'> {
  const { id, percent, devices, content: candidate } = rollout;
  return { rollout: { id, percent, devices, digest: contentDigest(candidate) }, candidate };
}

/** True if the newest version records the item as it was, and its ids. */
function isContentOf(before: State, newest: Version | undefined): boolean {
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
function shareIn({ rollout }: Pick<State, 'rollout'>): string | undefined {
  if (!rollout) return undefined;
  const { id, percent, devices, digest } = rollout;
  return JSON.stringify([id, percent, devices, digest]);
}

function isSame(one: State, other: State): boolean {
  return (
    one.findings === other.findings &&
    isSameContent(one, other) &&
    isWritten(one.content, other.content) &&
    isWritten(one.candidate ?? {}, other.candidate ?? {})
  );
}

/** Returns the version of the item before a change, whose own record never arrived. */
function versionBefore(
  { clientId, eventId, position, at }: ItemChange,
  before: State,
  newest: Version | undefined,
  isOwn: boolean,
): VersionWithContent {
  const { lastChange } = before;
  return {
    clientId,
    version: next(newest),
    eventId: `${eventId}${RECORDED_BY_NEXT}`,
    ...stored(before, newest, isOwn ? lastChange : undefined),
    ...authorOf(lastChange, isOwn),
    // It was stored before the change, whatever the clock of its author said.
    at: lastChange && isOwn && Date.parse(lastChange.at) < Date.parse(at) ? lastChange.at : at,
    position: justBefore(position),
  };
}

/**
 * At the position, the change still counts as new. The records before it do not: an invocation may
 * still be recording one that Lambda has given up.
 */
function justBefore({ stream, sequenceNumber }: StreamPosition): StreamPosition {
  return { stream, sequenceNumber: String(BigInt(sequenceNumber) - 1n) };
}

function versionAfter(
  { clientId, eventId, position, at }: ItemChange,
  { before, after, newest }: Omit<Situation, 'canCloseGap'>,
  isOwn: boolean,
): VersionWithContent {
  const { lastChange } = after ?? before ?? {};
  const author = authorOf(lastChange, isOwn);
  const common = { clientId, version: next(newest), at, eventId, position, ...author };
  if (after) return { ...common, ...stored(after, newest, isOwn ? lastChange : undefined) };
  const rules = {
    promoCodesIgnoreCase: before ? before.promoCodesIgnoreCase : newest?.promoCodesIgnoreCase,
    access: { fingerprints: [] },
  };
  return {
    ...common,
    ...rules,
    toolRules: inheritedRules(rules, newest, undefined),
    content: {},
    digest: contentDigest({}),
    highestId: highestIdIn(before?.client.item ?? {}, newest?.highestId),
    findings: 0,
    errors: 0,
    isDeleted: true,
  };
}

function next(newest: Version | undefined): number {
  return (newest?.version ?? 0) + 1;
}

/** @param made the change, if a tool made it. */
function stored(state: State, newest: Version | undefined, made: LastChange | undefined) {
  const { content, candidate, digest, rollout, promoCodesIgnoreCase, findings, errors } = state;
  const highestId = highestOf(state, newest);
  const access = shownAccess(state.access, newest?.access);
  return {
    content,
    candidate,
    digest,
    highestId,
    rollout,
    promoCodesIgnoreCase,
    toolRules: inheritedRules({ promoCodesIgnoreCase, access }, newest, made),
    access,
    findings,
    errors,
  };
}

/** Returns the highest id in an item, with its candidate, and in the history up to a version. */
function highestOf({ client }: State, newest: Version | undefined): number {
  const { item, rollout } = client;
  const live = highestIdIn(item, newest?.highestId);
  return rollout ? highestIdIn(rollout.candidate, live) : live;
}

/** Returns the author of a change: that of `lastChange` if it belongs to the change. */
function authorOf(lastChange: LastChange | undefined, isOwn: boolean) {
  const changeId = lastChange?.id;
  if (!lastChange || !isOwn) return { source: 'manualEdit', changeId } as const;
  const { by, message, restores } = lastChange;
  return { source: 'published', by, message, restores, changeId } as const;
}

function isClose(lastChange: LastChange | undefined, at: string): boolean {
  return (
    !!lastChange && Math.abs(Date.parse(at) - Date.parse(lastChange.at)) <= MAX_CLOCK_DIFFERENCE_MS
  );
}

/** True if the item's `lastChange` belongs to a change, unless it is not new. */
function canBelong(
  { clientId, at }: ItemChange,
  before: State | undefined,
  after: State | undefined,
): boolean {
  const { lastChange } = after ?? before ?? {};
  if (!isClose(lastChange, at)) return false;
  if (!after) return lastChange?.removes === true;
  return before ? isLater(lastChange, before.lastChange) : lastChange?.creates === clientId;
}

/**
 * True if an item's `lastChange` is new: no version since its time has its id. Else somebody put an
 * image of the item back.
 */
async function hasNewChange(
  table: VersionsTable,
  { lastChange }: State,
  newest: Version | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<boolean> {
  if (!lastChange || lastChange.id === newest?.changeId) return false;
  if (!newest || isBefore(newest, lastChange)) return true;
  const versions = versionsOfChange(table, newest.clientId, lastChange, abortSignal);
  return (await orUnavailable(versions.next())).done === true;
}

/** True if `one` equals `other` or comes after it. Sequence numbers exceed JavaScript's numbers. */
function isAtOrAfter(one: StreamPosition, other: StreamPosition): boolean {
  if (one.stream !== other.stream) return false;
  const [first, second] = [one, other].map(({ sequenceNumber }) =>
    sequenceNumber.replace(/^0+/, ''),
  );
  if (first === undefined || second === undefined) return false;
  return first.length === second.length ? first >= second : first.length > second.length;
}
