import { isInvalid, orUnavailable } from '../aws/or-unavailable.ts';
import type { AccessRules } from '../clients/client-access.ts';
import { type StateOfItem, stateOfItem, storedAccess } from '../clients/client-state.ts';
import { readClient } from '../clients/read-client.ts';
import { compare } from '../effects/compare.ts';
import { type Effect, harmIn, isNamedIn } from '../effects/effect.ts';
import type { Finding } from '../finding.ts';
import { canBelong, hasNewChange } from './change-of-tool.ts';
import type { ItemChange } from './item-change.ts';
import { type Situation, versionAfter, versionBefore } from './next-version.ts';
import { isContentOf, isSame, recordedState } from './recorded-state.ts';
import { hasNewCandidate, type RolloutChange, rolloutChange } from './rollout-change.ts';
import { decidesRules } from './tool-rules.ts';
import type { StreamPosition, Version, VersionWithContent } from './version.ts';
import { stateOfVersion } from './version-state.ts';
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

/** A recorded change. */
export interface RecordedChange {
  readonly version: Version;
  readonly effects: readonly Effect[];
  /** Those of the effects that the alarm reports. */
  readonly harm: readonly Effect[];
  readonly rollout: RolloutChange | undefined;
  /** True if a rollout runs whose candidate is new, or was edited. */
  readonly hasNewCandidate: boolean;
  /** Findings in the client's item after the change. */
  readonly findings: readonly Finding[];
  /** True if this call recorded it; false if an earlier delivery of its record did. */
  readonly isNew: boolean;
}

/** Options of `recordChange`. */
interface RecordingOptions {
  readonly rules: AccessRules;
  readonly abortSignal?: AbortSignal;
}

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
  { rules, abortSignal }: RecordingOptions,
): Promise<RecordedChange | undefined> {
  const [before, after] = statesOf(change, rules);
  const outcomeOf = (version: Version, isNew: boolean, former?: Version): RecordedChange => {
    // Of a client without an item, nothing else is left, whatever the history has of its end.
    const removed = former && { ...stateOfVersion(former), isRemoved: true };
    const all = compare(before ?? removed, after);
    const { source, message = '' } = version;
    const effects = all.filter((one) => source === 'manualEdit' || isNewsOfCommand(one, message));
    const harm = isAnnounced(before, version) ? [] : harmIn(effects);
    const recorded = before && recordedState(before);
    return {
      version,
      effects,
      harm,
      rollout: rolloutChange(recorded, version),
      hasNewCandidate: hasNewCandidate(recorded, version),
      findings: after?.findings ?? [],
      isNew,
    };
  };
  let hasWritten = false;
  let canCloseGap = true;
  for (;;) {
    const [newest, former] = await orUnavailable(
      newestVersions(table, change.clientId, before ? 1 : 2, abortSignal),
    );
    switch (caseOf(change, { before, after, newest }, canCloseGap)) {
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

/** Reads the item before a change, and after it. Each may have App-Ids that the other one lacks. */
function statesOf(
  change: Pick<ItemChange, 'before' | 'after'>,
  rules: AccessRules,
): (StateOfItem | undefined)[] {
  const clients = [change.before, change.after].map((raw) => raw && readClient(raw));
  const lists = clients.map((client) => client && storedAccess(client, rules));
  return clients.map((client) => client && stateOfItem(client, rules, ...lists));
}

/**
 * True for an effect of a command that is news. Its author was shown the findings. Nothing else is
 * trusted: people can write `lastChange` by hand, with a message that names no App-Id.
 */
function isNewsOfCommand(effect: Effect, message: string): boolean {
  return !isNamedIn(message, effect) && effect.code !== 'findingsRose';
}

/** True for the removal of a client that was created to be removed, as the smoke checks do it. */
function isAnnounced(before: StateOfItem | undefined, version: Version): boolean {
  const { creates, removes } = before?.lastChange ?? {};
  return version.isDeleted === true && version.version === 2 && !!removes && !!creates;
}

/**
 * Tells which of the cases above a change is.
 *
 * @param canCloseGap false after DynamoDB refused the item before the change.
 */
function caseOf(
  { eventId, position }: ItemChange,
  { before, after, newest }: Situation,
  canCloseGap: boolean,
): 'recorded' | 'late' | 'gap' | 'unchanged' | 'next' {
  if (newest?.eventId === eventId) return 'recorded';
  if (newest && isAtOrAfter(newest.position, position)) return 'late';
  if (canCloseGap && before && !isContentOf(before, newest)) return 'gap';
  const isUnchanged =
    before && after && isSame(before, after) && !decidesRules(after.lastChange, newest);
  return isUnchanged ? 'unchanged' : 'next';
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
