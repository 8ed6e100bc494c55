/**
 * Begins the ids of the clients that the smoke checks create. Follow-on systems leave out their
 * events, so no other client gets such an id.
 */
export const SMOKE_PREFIX = 'smoke-';

const SMOKE_CLIENT = new RegExp(`^${SMOKE_PREFIX}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);

/** Returns true for a client of the smoke checks. */
export function isSmokeClient(clientId: string | undefined): boolean {
  return clientId !== undefined && SMOKE_CLIENT.test(clientId);
}
