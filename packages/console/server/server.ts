import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Deployment } from 'customer-data-api-deployment';
import { close } from 'customer-data-api-deployment/local';
import { printableLines, UserError } from 'customer-data-api-deployment/program';
import { api } from './api.ts';
import { type Caller, operatorOf } from './call.ts';
import { documentResponse } from './documents.ts';
import { failed } from './failures.ts';
import { guard, isApiPath, isOpening } from './guard.ts';
import { buildPage, openedPage, type Page, pageResponse } from './page.ts';

/** The usual port: a browser keeps drafts by the port of their page. */
export const CONSOLE_PORT = 4380;

/** The headers of every response. Nothing is loaded from elsewhere, framed, cached or guessed. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

/** A running console. */
export interface Console extends AsyncDisposable {
  /** The address of its page, with the secret in the fragment, which browsers send to no server. */
  readonly url: string;
  readonly port: number;
  /** Resolves after the given time without a call of its API. */
  readonly idle: Promise<void>;
}

/** The options of a console. */
export interface ConsoleOptions {
  /** The port to use if it is free; 0 for any. */
  readonly port: number;
  /** The time without use after which it is idle; never by default. */
  readonly idleMs?: number;
  /** Receives the stack of a defect. */
  readonly log: (text: string) => void;
}

/** The parts of the console that a request needs. */
export interface RequestContext {
  readonly secret: string;
  readonly page: Page;
  readonly caller: Caller;
  /** Runs when the API is called with the secret. */
  readonly onUse: () => void;
  readonly log: (text: string) => void;
}

/** Answers a request to the page or to the API, or refuses it. */
export async function respond(request: Request, served: RequestContext): Promise<Response> {
  const { page, secret } = served;
  const response = (await isOpening(request, secret))
    ? openedPage(page, secret)
    : (guard(request, secret) ?? (await allowed(request, served)));
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

async function allowed(
  request: Request,
  { page, caller, onUse, log }: RequestContext,
): Promise<Response> {
  if (!isApiPath(request)) return (await documentResponse(request)) ?? pageResponse(page, request);
  onUse();
  const { url, method, headers, body } = request;
  try {
    // `bodyLimit` copies a request with a chunked body. Node copies only its own requests.
    const init = { method, headers, body, duplex: 'half' } as const;
    return await api.fetch(body ? new Request(url, init) : request, caller);
  } catch (error) {
    log(printableLines(error instanceof Error ? String(error.stack) : String(error)));
    return failed(500, 'failed', 'The console has a defect. Its terminal shows where.');
  }
}

/** Serves the console of a deployment on the loopback interface. The secret is new each time. */
export async function startConsole(
  deployment: Deployment,
  { port, idleMs, log }: ConsoleOptions,
): Promise<Console> {
  const secret = randomBytes(32).toString('base64url');
  const page = await buildPage();
  const caller = operatorOf(deployment);
  const idle = Promise.withResolvers<void>();
  const timer = idleMs === undefined ? undefined : setTimeout(idle.resolve, idleMs);

  const served = { secret, page, caller, onUse: () => void timer?.refresh(), log };
  const server = createServer(
    getRequestListener((request) => respond(request, served), { overrideGlobalObjects: false }),
  );
  // A browser could reuse a connection at the moment when the server closes it.
  server.keepAliveTimeout = 0;
  const usedPort = await listenOn(server, port);
  return {
    url: `http://127.0.0.1:${usedPort}/#${secret}`,
    port: usedPort,
    idle: idle.promise,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await close(server);
      caller[Symbol.dispose]();
    },
  };
}

/** Listens on a port or, if that is taken, on a free one. Returns its number. */
async function listenOn(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (port !== 0 && (code === 'EADDRINUSE' || code === 'EACCES')) return listenOn(server, 0);
    throw new UserError(`The console cannot listen on 127.0.0.1 (${code}).`);
  }
  return (server.address() as AddressInfo).port;
}
