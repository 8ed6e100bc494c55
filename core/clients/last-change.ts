import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';

const LastChange = v.object({
  /** A random UUID. If an edit leaves it unchanged, the edit was manual. */
  id: v.string(),
  /** ARN of the caller, or user of this machine. */
  by: v.string(),
  /** ISO 8601 date and time, UTC. */
  at: v.string(),
  message: v.string(),
  /** The version that the change restores. DynamoDB's numbers can be 0.5 or 1E+125. */
  restores: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** The client that the change creates. A copy of the item under another id has it too. */
  creates: v.exactOptional(v.string()),
  /** Written before a tool deletes the item, so that the deletion has an author. */
  removes: v.exactOptional(v.literal(true)),
  /** Decides about the app clients, also where it leaves what a manual edit made of them. */
  setsAppClients: v.exactOptional(v.literal(true)),
});

/** The attribute `lastChange`: a tool's last change of the client. Written in one call with it. */
export type LastChange = Readonly<v.InferOutput<typeof LastChange>>;

/** `published`: by a tool that wrote `lastChange`. `manualEdit`: by any other means. */
export type ChangeSource = 'published' | 'manualEdit';

/** Largest difference between a publisher's clock and DynamoDB's, including the time of a call. */
export const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;

/** The author of a change, its reason, and what it does besides. An id from its maker stays. */
export type NewStamp = Omit<LastChange, 'id' | 'at'> & Partial<Pick<LastChange, 'id'>>;

/**
 * Makes the `lastChange` of a change that happens now. It is dated after the one before it, which
 * may have been made by a faster clock, but not after one that is too far ahead.
 *
 * @param before the one that it replaces, on the condition that it is still there.
 */
export function newLastChange(stamp: NewStamp, before: LastChange | undefined): LastChange {
  const now = Date.now();
  const previous = Date.parse(before?.at ?? '');
  const at = previous >= now && !isFarAhead(previous, now) ? previous + 1 : now;
  return { id: randomUUID(), at: new Date(at).toISOString(), ...stamp };
}

/** True if a change can have replaced the one before it, by its date. */
export function isLater(stamp: LastChange | undefined, before: LastChange | undefined): boolean {
  if (!stamp || !before) return !before;
  const [at, previous] = [Date.parse(stamp.at), Date.parse(before.at)];
  // A date that cannot be read is not earlier either.
  return !(at <= previous) || isFarAhead(previous, at);
}

/**
 * True for a date more than half the tolerance ahead of another one. It is ignored: a change dated
 * after it would fall outside the tolerance of its record, if its own clock is fast, too.
 */
function isFarAhead(one: number, other: number): boolean {
  return one - other > MAX_CLOCK_DIFFERENCE_MS / 2;
}

/** Reads an item's `lastChange`; undefined if it is missing or damaged. */
export function readLastChange({ lastChange }: ConfigsItem): LastChange | undefined {
  const result = v.safeParse(LastChange, lastChange);
  return result.success ? result.output : undefined;
}
