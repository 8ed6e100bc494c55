/**
 * Puts services of this machine behind TLS and a delay, in a process of its own, so that its CPU
 * time is not counted as a candidate's. Arguments: the files of the key and the certificate, the
 * delay each way in milliseconds, and the URLs of the services. Sends its parent the URL of each,
 * in the same order. Exits with its parent.
 */
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from '../../../packages/deployment/local/listen.ts';

const [keyFile = '', certificateFile = '', delay = '', ...services] = process.argv.slice(2);
const delayMs = Number(delay);
const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificateFile)]);

process.send?.(await Promise.all(services.map(behindTls)));
process.on('disconnect', () => process.exit());

async function behindTls(service: string): Promise<string> {
  // Otherwise the first response waits 40 ms for the acknowledgement of the session tickets, which
  // the client delays.
  const secure = createTlsServer({ key, cert, noDelay: true }, (incoming) => {
    join(incoming, connectTo(service), 0);
  });
  const secureUrl = await listen(secure as unknown as Parameters<typeof listen>[0]);
  // The delay is outside of TLS, so that it counts for each flight of the handshake, too.
  const delayed = createServer((incoming) => {
    incoming.setNoDelay();
    join(incoming, connectTo(secureUrl), delayMs);
  });
  const url = await listen(delayed as unknown as Parameters<typeof listen>[0]);
  return url.replace('http:', 'https:');
}

function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).setNoDelay();
}

/** Connects two sockets: what arrives at one leaves the other, after a delay. */
function join(one: Socket, other: Socket, ms: number): void {
  pass(one, other, ms);
  pass(other, one, ms);
}

function pass(from: Socket, to: Socket, ms: number): void {
  // Timers of the same delay fire in the order in which they were set.
  const later = (action: () => void) => {
    if (ms > 0) setTimeout(action, ms);
    else action();
  };
  from.on('data', (chunk) => later(() => to.write(chunk)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
}
