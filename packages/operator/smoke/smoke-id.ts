import { randomUUID } from 'node:crypto';

/**
 * Begins the ids of the clients that the smoke checks create. Follow-on systems leave out their
 * events, so no other client gets such an id.
 */
export const SMOKE_PREFIX = 'smoke-';

/** Returns an id for a user or a client of the smoke checks. */
export function smokeId(): string {
  return `${SMOKE_PREFIX}${randomUUID()}`;
}
