import type { StateOfItem } from '../clients/client-state.ts';
import { contentDigest } from '../clients/content-digest.ts';
import type { LastChange } from '../clients/last-change.ts';
import { shownAccess } from '../clients/recorded-access.ts';
import { highestIdIn } from '../configuration/assign-ids.ts';
import type { ItemChange } from './item-change.ts';
import { highestOf, recordedState } from './recorded-state.ts';
import { inheritedRules } from './tool-rules.ts';
import {
  RECORDED_BY_NEXT,
  type StreamPosition,
  type Version,
  type VersionWithContent,
} from './version.ts';

/** The states and the version that decide what a change becomes. */
export interface Situation {
  readonly before: StateOfItem | undefined;
  readonly after: StateOfItem | undefined;
  /** The newest version of the client. */
  readonly newest: Version | undefined;
}

/** Returns the version of the item before a change, whose own record never arrived. */
export function versionBefore(
  { clientId, eventId, position, at }: ItemChange,
  before: StateOfItem,
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

/** Returns the version of the item after a change, or of its deletion. */
export function versionAfter(
  { clientId, eventId, position, at }: ItemChange,
  { before, after, newest }: Situation,
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
    highestId: highestIdIn(before?.item ?? {}, newest?.highestId),
    findings: 0,
    errors: 0,
    isDeleted: true,
  };
}

function next(newest: Version | undefined): number {
  return (newest?.version ?? 0) + 1;
}

/** @param made the change, if a tool made it. */
function stored(state: StateOfItem, newest: Version | undefined, made: LastChange | undefined) {
  const access = shownAccess(state.access, newest?.access);
  const recorded = recordedState(state);
  return {
    ...recorded,
    highestId: highestOf(state, newest),
    toolRules: inheritedRules({ ...recorded, access }, newest, made),
    access,
  };
}

/** Returns the author of a change: that of `lastChange` if it belongs to the change. */
function authorOf(lastChange: LastChange | undefined, isOwn: boolean) {
  const changeId = lastChange?.id;
  if (!lastChange || !isOwn) return { source: 'manualEdit', changeId } as const;
  const { by, message, restores } = lastChange;
  return { source: 'published', by, message, restores, changeId } as const;
}
