import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listeningSockets, notOnLoopback } from '../../e2e/listening.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listenOn(host: string): Promise<string> {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return `${host}:${(server.address() as AddressInfo).port}`;
}

test.runIf(process.platform === 'linux')(
  'finds the sockets of a process group, and which of them are not on 127.0.0.1',
  async () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const group = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[3]);
    const [one, other] = [await listenOn('127.0.0.1'), await listenOn('127.0.0.2')];
    const sockets = (await listeningSockets(group)) ?? [];
    expect(sockets).toEqual(expect.arrayContaining([one, other]));
    expect(notOnLoopback(sockets)).toContain(other);
    expect(notOnLoopback(sockets)).not.toContain(one);
    expect(await listeningSockets(-1)).toEqual([]);
  },
);

test.each(['0.0.0.0:8883', '10.0.0.1:80', '[0000:0000]:8883', '127.0.0.10:1'])(
  '%s is not on loopback',
  (socket) => expect(notOnLoopback(['127.0.0.1:4566', socket])).toEqual([socket]),
);
