import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../core/platform/command-error.ts';

const HOST = '127.0.0.1';

/**
 * Makes a server listen on the loopback interface only.
 *
 * @param port 0 for any free port.
 * @returns its base URL.
 * @throws CommandError when the port is in use or not allowed.
 */
export async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `Port ${port} cannot be used (${code}). Stop the process that uses it, or choose another port: PORT=0 npm start picks a free one.`,
    );
  }
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/** Closes a server and its open connections. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
