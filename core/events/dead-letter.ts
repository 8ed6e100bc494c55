import * as v from 'valibot';
import type { BusEvent } from './put-events.ts';

/** An event that is not on the bus, and why. It can be put on the bus as it is. */
export interface DeadLetter extends BusEvent {
  readonly reason: string;
}

const DeadLetterBody = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    source: v.string(),
    detailType: v.string(),
    detail: v.looseObject({}),
    time: v.pipe(v.string(), v.isoTimestamp()),
    reason: v.string(),
  }),
);

/** Reads a dead letter from the body of a message; undefined for other messages. Never throws. */
export function readDeadLetter(body: string): DeadLetter | undefined {
  const { success, output } = v.safeParse(DeadLetterBody, body);
  return success ? output : undefined;
}
