import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 5;

/**
 * The DynamoDB that the tests run on: undefined for the embedded one. If `SECOND_ENGINE` names a
 * program, a proxy of it. Each proxy has a process and a database of its own.
 */
export function engineOfTheRun(): Server | undefined {
  const { SECOND_ENGINE: program } = process.env;
  return program ? createProxy(program) : undefined;
}

function createProxy(program: string): Server {
  let engine: ChildProcess | undefined;
  const started = (async () => {
    const port = await freePort();
    engine = spawn(program, ['serve', '--host', '127.0.0.1', '--port', String(port)], {
      stdio: 'ignore',
    });
    await isListening(port);
    return port;
  })();
  const proxy = createServer(async (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const port = await started;
    const outgoing = request({ hostname: '127.0.0.1', port, method, path, headers }, (proxied) => {
      // The caller closed the connection.
      if (response.destroyed) return void proxied.resume();
      response.writeHead(proxied.statusCode ?? 0, proxied.headers);
      pipeline(proxied, response, () => {});
    });
    outgoing.on('error', () => response.destroy());
    pipeline(incoming, outgoing, () => {});
  });
  const end = () => engine?.kill('SIGKILL');
  proxy.on('close', end);
  process.on('exit', end);
  return proxy;
}

/** Finds a port for a program that cannot say which one it took. */
async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await setTimeout(POLL_MS);
  }
}
