import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../core/platform/command-error.ts';

const HOST = '127.0.0.1';

/**
 * Makes a server listen on this machine, and on no other interface.
 *
 * @param port 0 for any that is free.
 * @returns its base URL.
 * @throws CommandError when the port cannot be had.
 */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `Port ${port} cannot be used (${code}). Stop what uses it, or choose another one: PORT=0 npm start picks a free port.`,
    );
  }
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/** Ends a server and the connections that it keeps open. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
