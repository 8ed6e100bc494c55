import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { listeningSockets, notOnLoopback } from '../../e2e/listening.ts';

/** `::1`, as it is shown. */
const SHOWN_LOOPBACK = '[0000:0000:0000:0000:0000:0000:0000:0001]';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The process group of the tests. */
function ownGroup(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[3]);
}

async function listenOn(host: string): Promise<string> {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  const address = host.includes(':') ? SHOWN_LOOPBACK : host;
  return `${address}:${(server.address() as AddressInfo).port}`;
}

test.runIf(process.platform === 'linux')(
  'finds the sockets of a process group, and which of them are not on 127.0.0.1',
  async () => {
    const [one, other] = [await listenOn('127.0.0.1'), await listenOn('127.0.0.2')];
    const sockets = (await listeningSockets(ownGroup())) ?? [];
    expect(sockets).toEqual(expect.arrayContaining([one, other]));
    expect(notOnLoopback(sockets)).toContain(other);
    expect(notOnLoopback(sockets)).not.toContain(one);
    expect(await listeningSockets(-1)).toEqual([]);
  },
);

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === '::1');

test.runIf(process.platform === 'linux' && hasIpv6)('finds the sockets of IPv6', async () => {
  const own = await listenOn('::1');
  const sockets = (await listeningSockets(ownGroup())) ?? [];
  expect(sockets).toContain(own);
  expect(notOnLoopback(sockets)).toContain(own);
});

test.each(['0.0.0.0:8883', '10.0.0.1:80', '[0000:0000]:8883', '127.0.0.10:1'])(
  '%s is not on loopback',
  (socket) => expect(notOnLoopback(['127.0.0.1:4566', socket])).toEqual([socket]),
);
