import { UserError } from '../core/user-error.ts';

/** The port of the local server, unless the environment variable PORT names another one. */
export const DEFAULT_PORT = 3000;

/**
 * Reads the environment variable PORT.
 *
 * @throws UserError when it is not a port; 0 stands for any free one.
 */
export function readPort(text = String(DEFAULT_PORT)): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UserError(`PORT is ${JSON.stringify(text)}; it must be a number from 0 to 65535.`);
}
