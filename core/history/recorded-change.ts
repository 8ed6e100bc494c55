import type { StateOfItem } from '../clients/client-state.ts';
import { compare } from '../effects/compare.ts';
import { type Effect, harmIn, isNamedIn } from '../effects/effect.ts';
import type { Finding } from '../finding.ts';
import type { Version } from './version.ts';
import { stateOfVersion } from './version-state.ts';

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

/** The version that a change added. */
export interface AddedVersion extends Pick<RecordedChange, 'version' | 'isNew'> {
  /** The version before it. */
  readonly former: Version | undefined;
}

/** A client before a change, and after it. */
export type States = Readonly<Record<'before' | 'after', StateOfItem | undefined>>;

/** Tells what a recorded change does. */
export function recordedChange(
  { before, after }: States,
  { version, former, isNew }: AddedVersion,
): RecordedChange {
  // Nothing else is left of a client without an item, whatever the history has of its end.
  const removed = former && { ...stateOfVersion(former), isRemoved: true };
  const { source, message = '' } = version;
  const effects = compare(before ?? removed, after).filter(
    (one) => source === 'manualEdit' || isNewsOfCommand(one, message),
  );
  return {
    version,
    effects,
    harm: isAnnounced(before, version) ? [] : harmIn(effects),
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
