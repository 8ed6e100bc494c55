import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { close, listen } from 'customer-data-api-deployment/local';
import { certificateFor } from './certificate.ts';

/** The requests to a proxy between a program and AWS. */
interface Proxy {
  readonly url: string;
  /** The hosts that it was asked to connect to, with their ports, each once. */
  readonly hosts: () => readonly string[];
  /** The header with the password of its user; undefined if none was sent. */
  readonly authorization: () => string | undefined;
  /** The variables with which a program trusts the hosts behind it. */
  readonly environment: NodeJS.ProcessEnv;
  /** Forgets what it was asked for. */
  readonly forget: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a proxy, behind which a server on this machine stands for all hosts with some names.
 *
 * @param folder gets the certificate of the hosts.
 */
export async function startProxy(
  target: string,
  names: readonly string[],
  folder: string,
): Promise<Proxy> {
  const { cert, key } = certificateFor(...names);
  const file = join(folder, 'certificate.pem');
  await writeFile(file, cert);
  const hosts = createTlsServer({ cert, key }, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const { host } = new URL(target);
    const passed = request(
      `${target}${path}`,
      { method, headers: { ...headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => hosts.listen(0, '127.0.0.1', resolve));
  const { port } = hosts.address() as AddressInfo;
  const asked = new Set<string>();
  let authorization: string | undefined;
  // Requests without a tunnel, such as those to this machine, are nothing for it.
  const proxy = createServer((incoming, response) => {
    asked.add(String(incoming.url));
    response.writeHead(502).end();
  });
  proxy.on('connect', ({ url = '', headers }, socket) => {
    asked.add(url);
    authorization = headers['proxy-authorization'];
    const tunnel = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(tunnel).pipe(socket);
    });
    for (const one of [socket, tunnel]) one.on('error', () => one.destroy());
  });
  return {
    url: await listen(proxy, 0, { host: '127.0.0.1' }),
    hosts: () => [...asked].sort(),
    authorization: () => authorization,
    environment: { NODE_EXTRA_CA_CERTS: file },
    forget: () => {
      asked.clear();
      authorization = undefined;
    },
    stop: async () => {
      await Promise.all([close(proxy), close(hosts)]);
    },
  };
}
