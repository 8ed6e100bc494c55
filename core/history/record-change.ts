import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readItem } from '../aws/attribute-values.ts';
import { available, isInvalid } from '../aws/available.ts';
import { fingerprintOf } from '../clients/app-id-fingerprint.ts';
import { checkAccess } from '../clients/check-access.ts';
import { isLockedOut, readAccessLists } from '../clients/client-access.ts';
import { type LastChange, readLastChange } from '../clients/last-change.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import { checkConfiguration } from '../configuration/check-configuration.ts';
import { readField } from '../configuration/read-field.ts';
import type { Finding } from '../finding.ts';
import { contentDigest } from './content-digest.ts';
import { type Health, harmOf } from './regressions.ts';
import type { AccessDigests, ConfigVersion, StreamPosition, VersionSummary } from './version.ts';
import { newestVersion, type VersionsTable, writeVersion } from './versions-table.ts';

/*
 * The cases of a change, by the newest version of its client. The first one that applies counts:
 *
 * | Case        | Newest version              | Item before, item after        | Action                         |
 * | ----------- | --------------------------- | ------------------------------ | ------------------------------ |
 * | `recorded`  | of this record              |                                | Return it again                |
 * | `late`      | of a later record           |                                | None                           |
 * | `gap`       | other than the item before  | an item before                 | Record the item before, repeat |
 * | `unchanged` |                             | same content, access, problems | None                           |
 * | `next`      |                             | any other                      | Record the item after          |
 *
 * The author of a version is that of the item's `lastChange`, if that belongs to the change. Any
 * other change was made manually:
 *
 * | Change           | `lastChange` belongs to it if it                                                        |
 * | ---------------- | --------------------------------------------------------------------------------------- |
 * | item before      | has an id other than that of the newest version                                         |
 * | creation         | names this client as created, is of the time of the record, and is not known            |
 * | update           | is later than that of the item before, is of the time of the record, and is not known   |
 * | deletion         | announces a removal, and is of the time of the record                                   |
 *
 * `lastChange` can be that of another change: "Duplicate item" in the console copies it to a second
 * item, and an image that somebody saved brings an old one back.
 */

/** An item as DynamoDB stores it. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** What a record of the Configs table's stream says: a client's item before and after a change. */
export interface ItemChange {
  readonly clientId: string;
  /** The id of the record. */
  readonly eventId: string;
  readonly position: StreamPosition;
  /** When DynamoDB accepted the change, in ISO 8601. */
  readonly at: string;
  /** Undefined if the change created the item. */
  readonly before: RawItem | undefined;
  /** Undefined if the change deleted the item. */
  readonly after: RawItem | undefined;
}

/** A change that was recorded. */
export interface RecordedChange {
  readonly version: VersionSummary;
  /** Why the client is worse off than before, in words; empty if it is not. */
  readonly harm: readonly string[];
  /** What is wrong with the client's item after the change. */
  readonly findings: readonly Finding[];
  /** Whether this call recorded it; false if an earlier delivery of its record did. */
  readonly isNew: boolean;
}

/** How the recording function reads items. */
export interface RecordingOptions {
  /** Whether a client without `userPoolClientIds` admits nobody. */
  readonly requiresUserPoolClientIds: boolean;
  readonly abortSignal?: AbortSignal;
}

/** The state of an item that a version records. */
type State = Pick<ConfigVersion, 'content' | 'digest' | 'highestId' | 'keys' | 'problems'> &
  Health & {
    readonly findings: readonly Finding[];
    readonly lastChange: LastChange | undefined;
  };

/** How far a publisher's clock may be from DynamoDB's, including the time that a call takes. */
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;

/**
 * Records a change as the next version of its client. Records of one client must arrive in order,
 * as those of a stream do. A record that arrives again changes nothing, however much later: its
 * position is not after that of the newest version.
 *
 * If the item before the change is not the newest version, a change is missing in the history: the
 * client is older than its history, or a record was lost. The item before then becomes a version as
 * well, so that it can be restored.
 *
 * @returns undefined if the record was recorded before another one, or if it changes neither
 *   content, keys nor problems. The change that was recorded last is returned again: nobody knows
 *   whether the call that wrote it could still report it.
 * @throws what `available` throws. `canSucceedLater` says whether the same record can succeed
 *   later.
 */
export async function recordChange(
  table: VersionsTable,
  change: ItemChange,
  { requiresUserPoolClientIds, abortSignal }: RecordingOptions,
): Promise<RecordedChange | undefined> {
  const before = change.before && stateOf(change.before, requiresUserPoolClientIds);
  const after = change.after && stateOf(change.after, requiresUserPoolClientIds);
  const outcome = { harm: harmOf(before, after), findings: after?.findings ?? [] };
  let hasWritten = false;
  let canCloseGap = true;
  for (;;) {
    const newest = await available(newestVersion(table, change.clientId, abortSignal));
    switch (caseOf(change, { before, after, newest, canCloseGap })) {
      case 'recorded':
        // The response to this call's own write was lost, and DynamoDB refused the SDK's second
        // attempt.
        return newest && { version: newest, ...outcome, isNew: hasWritten };
      case 'late':
      case 'unchanged':
        return undefined;
      case 'gap':
        canCloseGap =
          before !== undefined &&
          (await closeGap(table, versionBefore(change, before, newest), abortSignal));
        break;
      case 'next': {
        hasWritten = true;
        const version = versionAfter(change, { before, after, newest });
        // If another call has written this number, such as an invocation that Lambda gave up but
        // that still runs, its version may be this one.
        const written = await writeWhatFits(table, version, abortSignal);
        if (!written) break;
        const { content: _, ...summary } = written;
        return { version: summary, ...outcome, isNew: true };
      }
    }
  }
}

/** What decides about a change, beside the change itself. */
interface Situation {
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** The newest version of the client. */
  readonly newest: VersionSummary | undefined;
  /** False after the item before the change could not be recorded. */
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
  return before && after && isSame(before, after) ? 'unchanged' : 'next';
}

/** Records the item before a change. Returns false if DynamoDB cannot store it in the history. */
async function closeGap(
  table: VersionsTable,
  version: ConfigVersion,
  abortSignal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await writeWhatFits(table, version, abortSignal);
    return true;
  } catch (error) {
    // What it was before cannot be in the history. What it is now can.
    if (isInvalid(error)) return false;
    throw error;
  }
}

/**
 * Writes a version, without its content if DynamoDB does not accept it: an item of almost 400 KB
 * leaves no room for what a version adds. Its digest still tells the next change what it follows.
 *
 * @returns what was written, or undefined if another call has written a version with the same
 *   number.
 */
async function writeWhatFits(
  table: VersionsTable,
  version: ConfigVersion,
  abortSignal: AbortSignal | undefined,
): Promise<ConfigVersion | undefined> {
  try {
    return (await writeVersion(table, version, abortSignal)) ? version : undefined;
  } catch (error) {
    if (!isInvalid(error)) throw error;
    const lean: ConfigVersion = { ...version, content: {}, isTooLarge: true };
    return (await writeVersion(table, lean, abortSignal)) ? lean : undefined;
  }
}

function stateOf(raw: RawItem, requiresUserPoolClientIds: boolean): State {
  const item = readItem(raw);
  const { fields, lastFieldId } = raw;
  const content = { fields, lastFieldId };
  const keys = readAccessLists(item, requiresUserPoolClientIds);
  const findings = [...checkAccess(item, requiresUserPoolClientIds), ...checkConfiguration(item)];
  return {
    content,
    digest: contentDigest(content),
    highestId: highestIdIn(item),
    keys: {
      appIds: keys.appIds.map(fingerprintOf).toSorted(),
      userPoolClientIds: keys.userPoolClientIds?.toSorted(),
    },
    problems: findings.length,
    findings,
    lastChange: readLastChange(item),
    isLockedOut: isLockedOut(keys.appIds, keys.userPoolClientIds),
    served: Array.isArray(item.fields)
      ? item.fields.filter((field) => readField(field).field).length
      : 0,
  };
}

/** Returns true if the newest version records the item as it was. */
function isContentOf(before: State, newest: VersionSummary | undefined): boolean {
  return newest?.digest === before.digest && areSame(newest.keys, before.keys);
}

function isSame(one: State, other: State): boolean {
  return (
    one.digest === other.digest && one.problems === other.problems && areSame(one.keys, other.keys)
  );
}

function areSame(one: AccessDigests, other: AccessDigests): boolean {
  return (['appIds', 'userPoolClientIds'] as const).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );
}

/** Returns the version of the item before a change, of which no record arrived. */
function versionBefore(
  { clientId, eventId, position, at }: ItemChange,
  before: State,
  newest: VersionSummary | undefined,
): ConfigVersion {
  const { lastChange } = before;
  const isOwn = !isKnown(lastChange, newest);
  const isInStream = newest?.position.stream === position.stream;
  return {
    ...{ clientId, version: next(newest), eventId: `${eventId} before` },
    ...stored(before, newest),
    ...authorOf(lastChange, isOwn),
    // Somebody stored it before the change.
    at: lastChange && isOwn ? lastChange.at : at,
    // The change itself then still counts as new, and the records that arrived before it do not.
    position: isInStream ? newest.position : { stream: position.stream, sequenceNumber: '0' },
  };
}

function versionAfter(
  { clientId, eventId, position, at }: ItemChange,
  { before, after, newest }: Omit<Situation, 'canCloseGap'>,
): ConfigVersion {
  const common = { clientId, version: next(newest), at, eventId, position };
  if (after) {
    const isNew = before
      ? isLater(after.lastChange, before.lastChange)
      : after.lastChange?.creates === clientId;
    const isOwn = isNew && isClose(after.lastChange, at) && !isKnown(after.lastChange, newest);
    return { ...common, ...stored(after, newest), ...authorOf(after.lastChange, isOwn) };
  }
  const { lastChange } = before ?? {};
  return {
    ...common,
    ...authorOf(lastChange, lastChange?.removes === true && isClose(lastChange, at)),
    content: {},
    digest: contentDigest({}),
    highestId: Math.max(before?.highestId ?? 0, newest?.highestId ?? 0),
    problems: 0,
    isDeleted: true,
    keys: { appIds: [] },
  };
}

function next(newest: VersionSummary | undefined): number {
  return (newest?.version ?? 0) + 1;
}

function stored(
  { content, digest, highestId, keys, problems }: State,
  newest: VersionSummary | undefined,
) {
  const highestEver = Math.max(highestId, newest?.highestId ?? 0);
  return { content, digest, highestId: highestEver, keys, problems };
}

/** Returns the author of a change: that of `lastChange` if it belongs to the change. */
function authorOf(lastChange: LastChange | undefined, isOwn: boolean) {
  const changeId = lastChange?.id;
  if (!lastChange || !isOwn) return { source: 'outside', changeId } as const;
  const { by, message, restores } = lastChange;
  return { source: 'published', by, message, restores, changeId } as const;
}

function isLater(lastChange: LastChange | undefined, before: LastChange | undefined): boolean {
  return !before || (!!lastChange && Date.parse(lastChange.at) > Date.parse(before.at));
}

function isClose(lastChange: LastChange | undefined, at: string): boolean {
  return (
    !!lastChange && Math.abs(Date.parse(at) - Date.parse(lastChange.at)) <= MAX_CLOCK_DIFFERENCE_MS
  );
}

function isKnown(lastChange: LastChange | undefined, newest: VersionSummary | undefined): boolean {
  return lastChange?.id === newest?.changeId;
}

/**
 * Returns true if a position in a stream equals another one or comes after it. Sequence numbers
 * have more digits than a number holds.
 */
function isAtOrAfter(one: StreamPosition, other: StreamPosition): boolean {
  if (one.stream !== other.stream) return false;
  const [first, second] = [one, other].map(({ sequenceNumber }) =>
    sequenceNumber.replace(/^0+/, ''),
  );
  if (first === undefined || second === undefined) return false;
  return first.length === second.length ? first >= second : first.length > second.length;
}
