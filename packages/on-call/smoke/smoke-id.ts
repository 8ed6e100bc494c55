import { randomUUID } from 'node:crypto';
import { SMOKE_PREFIX } from 'customer-data-api/clients';

/** Returns an id for a user or a client of the smoke checks. */
export function smokeId(): string {
  return `${SMOKE_PREFIX}${randomUUID()}`;
}
