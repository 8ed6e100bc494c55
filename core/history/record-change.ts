import { isInvalid, orUnavailable } from '../aws/or-unavailable.ts';
import type { AccessRules } from '../clients/client-access.ts';
import { type StateOfItem, stateOfItem } from '../clients/client-state.ts';
import { readClient } from '../clients/read-client.ts';
import { compare } from '../effects/compare.ts';
import { type Effect, harmIn, isNamedIn } from '../effects/effect.ts';
import type { Finding } from '../finding.ts';
import type { ItemChange } from './item-change.ts';
import { nextVersions, stampOf } from './next-versions.ts';
import { isAtOrAfter, type Version, type VersionWithContent } from './version.ts';
import { stateOfVersion } from './version-state.ts';
import { isNewStamp } from './versions-of-change.ts';
import { newestVersions, type VersionsTable, writeVersion } from './versions-table.ts';

/** A recorded change. */
export interface RecordedChange {
  readonly version: Version;
  readonly effects: readonly Effect[];
  /** The effects that the alarm reports. */
  readonly harm: readonly Effect[];
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
  let isNew = false;
  // Another call may write a number first, such as an invocation that Lambda gave up but that still
  // runs, or the SDK's first call whose response was lost. Then there is another newest version.
  for (;;) {
    const [newest, former] = await orUnavailable(
      newestVersions(table, change.clientId, 2, abortSignal),
    );
    if (newest?.eventId === change.eventId) return recorded(states, newest, former, isNew);
    if (newest && isAtOrAfter(newest.position, change.position)) return undefined;
    const hasNewStamp = (state?: StateOfItem) =>
      isNewStamp(table, state?.lastChange, newest, abortSignal);
    const { gap, next } = nextVersions(change, {
      ...states,
      newest,
      isNew: {
        before: await hasNewStamp(before),
        after: stampOf(change, before, after) !== undefined && (await hasNewStamp(after)),
      },
    });
    const closed = gap && (await closeGap(table, gap, abortSignal));
    if (closed === 'taken') continue;
    if (!next) return undefined;
    isNew = true;
    const { version } = (closed === 'refused' && gap) || next;
    const written = await writeVersion(table, { ...next, version }, abortSignal);
    if (written) return recorded(states, written, gap ?? newest, isNew);
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

/** Records the item before a change, unless DynamoDB refuses it or the number is taken. */
async function closeGap(
  table: VersionsTable,
  gap: VersionWithContent,
  abortSignal: AbortSignal | undefined,
): Promise<'closed' | 'taken' | 'refused'> {
  try {
    return (await writeVersion(table, gap, abortSignal)) ? 'closed' : 'taken';
  } catch (error) {
    // The item before cannot be in the history. The item after can.
    if (isInvalid(error)) return 'refused';
    throw error;
  }
}

/** Tells what a recorded change does, by its version and the one before it. */
function recorded(
  { before, after }: States,
  version: Version,
  former: Version | undefined,
  isNew: boolean,
): RecordedChange {
  // Nothing else is left of a client without an item, whatever the history has of its end.
  const removed = former && { ...stateOfVersion(former), isRemoved: true };
  const { source, message = '' } = version;
  // The author of a command was shown the findings. Nothing else is trusted: people can write
  // `lastChange` by hand, with a message that names no App-Id.
  const effects = compare(before ?? removed, after).filter(
    (one) => source === 'manualEdit' || (one.code !== 'findingsRose' && !isNamedIn(message, one)),
  );
  const { creates, removes } = before?.lastChange ?? {};
  // A client that was created to be removed, as the smoke checks do it.
  const isAnnounced = version.isDeleted && version.version === 2 && removes && creates;
  const harm = isAnnounced ? [] : harmIn(effects);
  return { version, effects, harm, findings: after?.findings ?? [], isNew };
}
