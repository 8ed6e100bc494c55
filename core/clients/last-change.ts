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
});

/** The attribute `lastChange`: a tool's last change of the client. Written in one call with it. */
export type LastChange = Readonly<v.InferOutput<typeof LastChange>>;

/**
 * Makes the `lastChange` of a change that happens now.
 *
 * @param before the one before it, which may have been made by a clock that is fast.
 */
export function newLastChange(
  change: Omit<LastChange, 'id' | 'at'>,
  before?: LastChange,
): LastChange {
  const at = new Date(Math.max(Date.now(), Date.parse(before?.at ?? '') + 1 || 0));
  return { id: randomUUID(), at: at.toISOString(), ...change };
}

/** Names the author of a change: an ARN without what the callers of an account have in common. */
export function authorName(by: string): string {
  return by.replace(/^arn:(?:[^:]*:){4}(?:[^/]*\/)?/, '');
}

/** Reads an item's `lastChange`; undefined if it is missing or damaged. */
export function readLastChange({ lastChange }: ConfigsItem): LastChange | undefined {
  const result = v.safeParse(LastChange, lastChange);
  return result.success ? result.output : undefined;
}
