import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ROUTES } from '../../../../cli/console/api.ts';
import { operatorOf } from '../../../../cli/console/caller.ts';
import { type ConsoleOptions, respond, startConsole } from '../../../../cli/console/server.ts';
import { deploymentOf } from '../../../../cli/deployment/deployment.ts';
import { startAws } from '../../../support/aws.ts';
import { OUTPUTS } from '../../../support/outputs.ts';

/* Who may call the console, and how long it runs. */

const aws = await startAws();
const deployment = deploymentOf({
  stackName: 'CustomerDataApi-dev',
  outputs: { ...OUTPUTS, DynamoDbEndpoint: aws.endpoint, SqsEndpoint: aws.endpoint },
});
const caller = operatorOf(deployment);
afterAll(async () => {
  caller[Symbol.dispose]();
  await aws.stop();
});

const SECRET = 'a-secret';
const OWN = { Host: '127.0.0.1:4380', 'Console-Secret': SECRET };
const served = { secret: SECRET, page: new Map(), caller, onUse: () => {}, log: () => {} };

/** A path for each pattern of the API. */
const requests = ROUTES.map(([method, pattern]) => {
  const path = pattern.replace(/\(\?<version>[^)]+\)/, '1').replace(/\(\?<client>[^)]+\)/, 'demo');
  return [method, path.replace('[.]', '.')] as const;
});

test.each([
  ['without the secret', { ...OWN, 'Console-Secret': undefined }, 401],
  ['with another secret', { ...OWN, 'Console-Secret': 'a-secreT' }, 401],
  ['with a secret in a cookie', { ...OWN, 'Console-Secret': undefined, Cookie: SECRET }, 401],
  ['for a foreign host', { ...OWN, Host: 'console.example.com:4380' }, 403],
  ['for a host that only begins like ours', { ...OWN, Host: '127.0.0.1.example.com' }, 403],
  ['without a host', { ...OWN, Host: undefined }, 403],
  ['of a foreign origin', { ...OWN, Origin: 'https://example.com' }, 403],
  ['of a page of another port', { ...OWN, Origin: 'http://127.0.0.1:3000' }, 403],
  ['of a sandboxed page', { ...OWN, Origin: 'null' }, 403],
])('every request to the API is refused %s', async (_, all, status) => {
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  const headers = sent as [string, string][];
  aws.calls.length = 0;
  const onUse = vi.fn();
  for (const [method, path] of requests) {
    const request = new Request(`http://127.0.0.1/api${path}`, { method, headers });
    expect([path, (await respond(request, { ...served, onUse })).status]).toEqual([path, status]);
  }
  expect(aws.calls).toEqual([]);
  // Nobody else keeps the console running.
  expect(onUse).not.toHaveBeenCalled();
});

test('the page itself is served without the secret, to no other host or origin', async () => {
  const page = new Map([['/', { type: 'text/html', content: '<!doctype html>' }]]);
  const get = (headers: Record<string, string>, path = '/', method = 'GET') =>
    respond(new Request(`http://127.0.0.1${path}`, { method, headers }), {
      ...{ ...served, page, onUse: () => expect.unreachable() },
    });
  const Host = 'localhost:4380';
  expect((await get({ Host })).status).toBe(200);
  expect((await get({ Host }, '/', 'HEAD')).body).toBe(null);
  expect((await get({ Host }, '/other')).status).toBe(404);
  expect((await get({ Host }, '/', 'POST')).status).toBe(405);
  expect((await get({ Host: 'example.com' })).status).toBe(403);
  expect((await get({ Host, Origin: 'http://localhost:3000' })).status).toBe(403);
});

test('a defect is a 500, and only the terminal shows its stack', async () => {
  const logged: string[] = [];
  const broken = { ...caller, author: () => Promise.reject(new TypeError('not ready \x1b[31m')) };
  const request = new Request('http://127.0.0.1/api/deployment', { headers: OWN });
  const log = (line: string) => logged.push(line);
  const response = await respond(request, { ...served, caller: broken, log });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toMatch(/not ready|\.ts/);
  expect(logged.join()).toMatch(/TypeError: not ready \\u001b\[31m\n.*at /);
});

const start = (options: Partial<ConsoleOptions> = {}) =>
  startConsole(deployment, { port: 0, log: () => {}, ...options });

describe('the server', () => {
  test('has its secret in the fragment only, another one each time, and strict headers', async () => {
    await using first = await start();
    await using second = await start();
    const [url, other] = [new URL(first.url), new URL(second.url)];
    expect(url.pathname + url.search).toBe('/');
    expect(url.hash).toMatch(/^#[\w-]{43}$/);
    expect(other.hash).not.toBe(url.hash);
    for (const path of ['/', '/api/clients', '/other']) {
      const { headers } = await fetch(new URL(path, first.url));
      expect(headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; script-src 'self'/,
      );
      expect(headers.get('Content-Security-Policy')).toMatch(/frame-ancestors 'none'/);
      expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Access-Control-Allow-Origin')).toBe(null);
    }
  });

  test('listens on the loopback interface only', async () => {
    await using page = await start();
    const addresses = Object.values(networkInterfaces()).flatMap((one = []) => one);
    for (const { address, internal } of addresses.filter(({ family }) => family === 'IPv4')) {
      if (internal) continue;
      await expect(fetch(`http://${address}:${page.port}/`)).rejects.toThrow();
    }
  });

  test('takes a free port if the usual one is taken', async () => {
    await using first = await start();
    await using second = await start({ port: first.port });
    expect(second.port).not.toBe(first.port);
  });

  test('survives what is no request', async () => {
    await using page = await start();
    for (const line of ['TRACE / HTTP/1.1', 'GET http://[ HTTP/1.1', 'GET //x HTTP/1.1']) {
      const socket = connect(page.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.end(`${line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
      await text(socket).catch(() => {});
    }
    expect((await fetch(page.url)).status).toBe(200);
  });

  test('is idle after a time without use, and not before', async () => {
    const idleMs = 2000;
    await using page = await start({ idleMs });
    const headers = { 'Console-Secret': new URL(page.url).hash.slice(1) };
    let isIdle = false;
    const idle = page.idle.then(() => {
      isIdle = true;
    });
    const end = performance.now() + 1.5 * idleMs;
    while (performance.now() < end) {
      await fetch(new URL('/api/nothing', page.url), { headers });
      await setTimeout(50);
    }
    expect(isIdle).toBe(false);
    await idle;
  });
});
