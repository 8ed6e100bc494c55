import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { close, listen } from '../../../local/listen.ts';

test('a server listens only on the loopback interface, and closes even with a request in flight', async () => {
  const server = createServer(() => {});
  const url = await listen(server);
  const { address, port } = server.address() as AddressInfo;
  expect(address).toBe('127.0.0.1');
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const hanging = expect(fetch(url)).rejects.toThrow();
  await new Promise((resolve) => server.once('request', resolve));
  await close(server);
  await hanging;
});

test.each([
  [
    'throws',
    () => {
      throw new Error('a mistake');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a mistake'))],
])('a handler that %s is answered with 500, and the server goes on', async (_, handler) => {
  const server = createServer(handler);
  const url = await listen(server);
  for (const _ of ['first', 'second']) {
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('a mistake');
  }
  await close(server);
});

test('the error about a port in use names the port, and what to do', async () => {
  const first = createServer();
  const port = Number(new URL(await listen(first)).port);
  const refused = listen(createServer(), port);
  await expect(refused).rejects.toThrow(CommandError);
  await expect(refused).rejects.toThrow(
    `Port ${port} cannot be used (EADDRINUSE). Stop the process that uses it, or choose another port: PORT=0 npm start picks a free one.`,
  );
  await close(first);
});
