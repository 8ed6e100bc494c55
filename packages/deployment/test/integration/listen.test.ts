import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { close, listen } from '../../local/listen.ts';

test('a server listens only on the loopback interface, and closes even with a request in flight', async () => {
  const server = createServer(() => {});
  const url = await listen(server);
  const { address, port } = server.address() as AddressInfo;
  expect([address, url]).toEqual(['127.0.0.1', `http://127.0.0.1:${port}`]);
  const hanging = expect(fetch(url)).rejects.toThrow();
  await new Promise((resolve) => server.once('request', resolve));
  await close(server);
  await hanging;
});

// Only Linux has the other addresses of the loopback interface.
test.skipIf(process.platform !== 'linux')(
  'a server may listen at another address of this machine, and is then called by any name',
  async () => {
    const server = createServer((_, response) => void response.end());
    const url = await listen(server, 0, { host: '127.0.0.2' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect((await fetch(url, { headers: { Host: 'phone-test.example' } })).status).toBe(200);
    await close(server);
    const other = listen(createServer(), 0, { host: '192.0.2.1' });
    await expect(other).rejects.toThrow('192.0.2.1 is no address of this machine.');
  },
);
