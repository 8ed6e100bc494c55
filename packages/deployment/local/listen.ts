import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../program/user-error.ts';

const HOST = '127.0.0.1';

/** Names of this machine. An Android emulator calls it 10.0.2.2. */
const HOSTS = [HOST, 'localhost', '10.0.2.2'];

/** The permitted callers of a server. */
export interface Callers {
  /**
   * The pages in browsers that may call: all, or those that this machine or its emulator serves. By
   * default, only other programs may call.
   */
  readonly pages?: 'all' | 'ofThisMachine';
  /**
   * The address of this machine at which other machines may call, by any name; default: none may.
   * `0.0.0.0` stands for all addresses.
   */
  readonly host?: string | undefined;
}

/**
 * Makes a server listen on the loopback interface, or at another address, and guards it. Returns
 * its base URL. Port 0 stands for any free port. Throws UserError if the address or the port is in
 * use or not permitted.
 */
export async function listen(server: Server, port = 0, callers: Callers = {}): Promise<string> {
  const { host = HOST } = callers;
  guard(server, callers);
  // On a busy machine, an idle connection could close while a request is on its way.
  server.keepAliveTimeout = 0;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UserError(`${host} is no address of this machine.`);
    }
    throw new UserError(
      `Port ${port} cannot be used (${code}). Stop the process that uses it, or set PORT to another: 0 picks a free one.`,
    );
  }
  return `http://${host === '0.0.0.0' ? HOST : host}:${(server.address() as AddressInfo).port}`;
}

/**
 * Refuses calls of web pages, because any page open on this machine can call its ports. Answers if
 * a handler fails, which would otherwise end the process.
 */
function guard(server: Server, callers: Callers): void {
  for (const event of ['request', 'checkExpectation'] as const) {
    const handlers = server.listeners(event) as RequestListener[];
    if (handlers.length === 0) continue;
    const handle: RequestListener = async (request, response) => {
      const refusal = refusalOf(request, callers);
      if (refusal) {
        response.writeHead(403, { 'Content-Type': 'text/plain' }).end(`${refusal}\n`);
        return;
      }
      try {
        await Promise.all(handlers.map((one) => one.call(server, request, response)));
      } catch (error) {
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`);
      }
    };
    server.removeAllListeners(event).on(event, handle);
  }
}

function refusalOf(
  { headers: { host, origin } }: IncomingMessage,
  { pages, host: ownHost }: Callers,
): string | undefined {
  // A page whose own host name points at this machine has the server's origin, and sends no Origin.
  // But browsers always send Host; programs may omit it.
  if (!ownHost && host !== undefined && !HOSTS.includes(hostName(`http://${host}`))) {
    return `Call this server by one of these names: ${HOSTS.join(', ')}.`;
  }
  if (origin === undefined || pages === 'all') return undefined;
  if (pages === undefined) return 'Web pages may only call the API.';
  return HOSTS.includes(hostName(origin)) ? undefined : 'Only pages of this machine may call this.';
}

/** Returns the name of the host in a URL, without port; empty if there is none. */
function hostName(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

/** Closes a server and its open connections. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
