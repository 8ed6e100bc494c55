import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';

const LastChange = v.object({
  /**
   * A random UUID. If an image of the item has the same one as the image before, it was edited
   * outside the tools.
   */
  id: v.string(),
  /** The ARN of the caller, or the user of this machine. */
  by: v.string(),
  /** ISO 8601 date and time in UTC. */
  at: v.string(),
  message: v.string(),
  /** The version that the change brings back. DynamoDB's numbers can be 0.5 or 1E+125. */
  restores: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** The client whose item the change creates. A copy of the item under another id has it too. */
  creates: v.exactOptional(v.string()),
  /** Written before the tools delete the item, so that its deletion has an author. */
  removes: v.exactOptional(v.literal(true)),
});

/**
 * The last change that a tool made to a client's item: the attribute `lastChange`. Each writes it
 * together with what it changes, in one call.
 */
export type LastChange = Readonly<v.InferOutput<typeof LastChange>>;

/** Makes the `lastChange` of a change that happens now. */
export function newLastChange(change: Omit<LastChange, 'id' | 'at'>): LastChange {
  return { id: randomUUID(), at: new Date().toISOString(), ...change };
}

/**
 * Reads the `lastChange` of a client's item; undefined if there is none, or if somebody damaged it.
 */
export function readLastChange({ lastChange }: ConfigsItem): LastChange | undefined {
  const result = v.safeParse(LastChange, lastChange);
  return result.success ? result.output : undefined;
}
