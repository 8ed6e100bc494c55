import { UserError } from 'customer-data-api-deployment/program';

/** The default port of the local server. The environment variable PORT overrides it. */
export const DEFAULT_PORT = 3000;

/** Reads the environment variable PORT; 0 stands for any free port. Throws UserError if invalid. */
export function readPort(text = String(DEFAULT_PORT)): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UserError(`PORT is ${JSON.stringify(text)}; it must be a number from 0 to 65535.`);
}
