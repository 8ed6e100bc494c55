import { isInvalid, orUnavailable } from '../aws/or-unavailable.ts';
import type { AccessRules } from '../clients/client-access.ts';
import { type StateOfItem, stateOfItem } from '../clients/client-state.ts';
import { readClient } from '../clients/read-client.ts';
import { compare } from '../effects/compare.ts';
import { type Effect, harmIn, isNamedIn } from '../effects/effect.ts';
import type { Finding } from '../finding.ts';
import type { ItemChange } from './item-change.ts';
import { changeOf, nextVersions } from './next-versions.ts';
import { hasNewCandidate, type RolloutChange, rolloutChange } from './rollout-change.ts';
import type { StreamPosition, Version, VersionWithContent } from './version.ts';
import { stateOfVersion } from './version-state.ts';
import { isBefore, versionsOfChange } from './versions-of-change.ts';
import { newestVersions, type VersionsTable, writeVersion } from './versions-table.ts';

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
  const states = statesOf(change, rules);
  const { before, after } = states;
  let hasWritten = false;
  // Another call may write a number first, such as an invocation that Lambda gave up but that still
  // runs, or the SDK's first call whose response was lost. Then there is another newest version.
  for (;;) {
    const [newest, former] = await orUnavailable(
      newestVersions(table, change.clientId, 2, abortSignal),
    );
    if (newest?.eventId === change.eventId) {
      return recordedChange(states, newest, former, hasWritten);
    }
    if (newest && isAtOrAfter(newest.position, change.position)) return undefined;
    const isNew = async (state?: StateOfItem) =>
      state !== undefined && (await hasNewChange(table, state, newest, abortSignal));
    const { gap, next } = nextVersions(change, {
      ...states,
      newest,
      isNew: {
        before: await isNew(before),
        after: changeOf(change, before, after) !== undefined && (await isNew(after)),
      },
    });
    const closed = gap && (await closeGap(table, gap, abortSignal));
    if (closed === 'taken') continue;
    if (!next) return undefined;
    hasWritten = true;
    const { version } = (closed === 'refused' && gap) || next;
    const written = await writeWhatFits(table, { ...next, version }, abortSignal);
    if (!written) continue;
    const { content: _, candidate: __, ...summary } = written;
    return recordedChange(states, summary, gap ?? newest, true);
  }
}

/** A client before a change, and after it. */
type States = Readonly<Record<'before' | 'after', StateOfItem | undefined>>;

/** Reads the item before a change, and after it. Each may have App-Ids that the other one lacks. */
function statesOf(change: Pick<ItemChange, 'before' | 'after'>, rules: AccessRules): States {
  const clients = [change.before, change.after].map((raw) => raw && readClient(raw));
  const [before, after] = clients.map((client) => client && stateOfItem(client, rules, ...clients));
  return { before, after };
}

/** True if `one` equals `other` or comes after it. Sequence numbers exceed JavaScript's numbers. */
function isAtOrAfter(one: StreamPosition, other: StreamPosition): boolean {
  return one.stream === other.stream && BigInt(one.sequenceNumber) >= BigInt(other.sequenceNumber);
}

/**
 * True if an item's `lastChange` is new: no version since its time has its id. Else somebody put an
 * image of the item back.
 */
async function hasNewChange(
  table: VersionsTable,
  { lastChange }: StateOfItem,
  newest: Version | undefined,
  abortSignal: AbortSignal | undefined,
): Promise<boolean> {
  if (!lastChange || lastChange.id === newest?.changeId) return false;
  if (!newest || isBefore(newest, lastChange)) return true;
  const versions = versionsOfChange(table, newest.clientId, lastChange, abortSignal);
  return (await orUnavailable(versions.next())).done === true;
}

/** Records the item before a change, unless DynamoDB refuses it or the number is taken. */
async function closeGap(
  table: VersionsTable,
  gap: VersionWithContent,
  abortSignal: AbortSignal | undefined,
): Promise<'closed' | 'taken' | 'refused'> {
  try {
    return (await writeWhatFits(table, gap, abortSignal)) ? 'closed' : 'taken';
  } catch (error) {
    // The item before cannot be in the history. The item after can.
    if (isInvalid(error)) return 'refused';
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

/**
 * Tells what a recorded change does.
 *
 * @param former the version before it.
 */
function recordedChange(
  { before, after }: States,
  version: Version,
  former: Version | undefined,
  isNew: boolean,
): RecordedChange {
  // Of a client without an item, nothing else is left, whatever the history has of its end.
  const removed = former && { ...stateOfVersion(former), isRemoved: true };
  const { source, message = '' } = version;
  const effects = compare(before ?? removed, after).filter(
    (one) => source === 'manualEdit' || isNewsOfCommand(one, message),
  );
  return {
    version,
    effects,
    harm: isAnnounced(before, version) ? [] : harmIn(effects),
    rollout: rolloutChange(former, version),
    hasNewCandidate: hasNewCandidate(former, version),
    findings: after?.findings ?? [],
    isNew,
  };
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
