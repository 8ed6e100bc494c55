import { networkInterfaces } from 'node:os';
import { startAws } from 'customer-data-api/testing/aws';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { deploymentOf } from 'customer-data-api-deployment';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../server/api.ts';
import { operatorOf } from '../../server/call.ts';
import { type ConsoleOptions, respond, startConsole } from '../../server/server.ts';

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

const OWN = { Host: '127.0.0.1:4380', 'Console-Secret': 'a-secret' };
const HTML = '<!doctype html><head></head>';
const page = new Map([['/', { type: 'text/html', content: HTML }]]);
const onUse = vi.fn();
const ask = (
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  more: object = {},
  body: string | null = null,
) =>
  respond(new Request(`http://127.0.0.1${path}`, { method, headers, body }), {
    secret: 'a-secret',
    page,
    caller,
    onUse,
    log: () => {},
    ...more,
  });

test.each([
  ['without the secret', { Host: OWN.Host }, 401],
  ['with another secret', { ...OWN, 'Console-Secret': 'a-secreT' }, 401],
  ['with a secret in a cookie', { Host: OWN.Host, Cookie: 'Console-Secret=a-secret' }, 401],
  ['for a foreign host', { ...OWN, Host: 'console.example.com:4380' }, 403],
  ['for a host that only begins like ours', { ...OWN, Host: '127.0.0.1.example.com' }, 403],
  ['without a host', { 'Console-Secret': 'a-secret' }, 403],
  ['of a foreign origin', { ...OWN, Origin: 'https://example.com' }, 403],
  ['of a page of another port', { ...OWN, Origin: 'http://127.0.0.1:3000' }, 403],
  ['of a sandboxed page', { ...OWN, Origin: 'null' }, 403],
])('every request to the API is refused %s', async (_, headers: Record<string, string>, status) => {
  expect(api.routes).not.toEqual([]);
  for (const { method, path } of api.routes) {
    expect([path, (await ask(path, headers, method)).status]).toEqual([path, status]);
  }
  expect(aws.calls).toEqual([]);
  // Nobody else keeps the console running.
  expect(onUse).not.toHaveBeenCalled();
});

test.each([
  ['/', { Host: 'localhost:4380' }, 'GET', 200],
  ['/', { Host: 'localhost:4380' }, 'HEAD', 200],
  ['/', { Host: 'localhost:4380' }, 'POST', 404],
  ['/other', { Host: 'localhost:4380' }, 'GET', 404],
  ['/', { Host: 'example.com' }, 'GET', 403],
  ['/', { Host: 'localhost:4380', Origin: 'http://localhost:3000' }, 'GET', 403],
])('the page needs no secret: %s with %o and %s is %i', async (path, headers, method, status) => {
  expect((await ask(path, headers, method)).status).toBe(status);
  expect(onUse).not.toHaveBeenCalled();
});

test.each([
  ['its secret', 'secret=a-secret', {}, 200],
  ['another secret', 'secret=a-secreT', {}, 403],
  ['more than the secret', 'secret=a-secret&more=1', {}, 403],
  ['its secret, for a foreign host', 'secret=a-secret', { Host: 'example.com' }, 403],
])('the file that opens the page gets it with %s only', async (_, body, headers, status) => {
  const own = { Host: OWN.Host, Origin: 'null', 'Content-Length': String(body.length) };
  const response = await ask('/', { ...own, ...headers }, 'POST', {}, body);
  expect(response.status).toBe(status);
  expect((await response.text()).includes('content="a-secret"')).toBe(status === 200);
});

test('a defect is a 500, and only the terminal shows its stack', async () => {
  const logged: string[] = [];
  const broken = { ...caller, author: () => Promise.reject(new TypeError('not ready \x1b[31m')) };
  const log = (line: string) => logged.push(line);
  const response = await ask('/api/deployment', OWN, 'GET', { caller: broken, log });
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
    expect(`${url.pathname}${url.search} ${url.hash}`).toMatch(/^\/ #[\w-]{43}$/);
    expect(other.hash).not.toBe(url.hash);
    for (const path of ['/', '/api/clients', '/other']) {
      const { headers } = await fetch(new URL(path, first.url));
      const policy = headers.get('Content-Security-Policy');
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'.* frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Access-Control-Allow-Origin')).toBe(null);
    }
  });

  test('listens on the loopback interface only', async () => {
    await using running = await start();
    const addresses = Object.values(networkInterfaces()).flatMap((one = []) => one);
    for (const { address, internal } of addresses.filter(({ family }) => family === 'IPv4')) {
      if (internal) continue;
      await expect(fetch(`http://${address}:${running.port}/`)).rejects.toThrow();
    }
  });

  test.each([
    ['is read', 1, 400, 'usage'],
    ['is limited', 4_000_001, 413, 'tooLarge'],
  ])('a body in chunks %s', async (_, length, status, code) => {
    const logged = vi.fn();
    await using running = await start({ log: logged });
    const headers = { 'Console-Secret': new URL(running.url).hash.slice(1) };
    const body = new Blob(['x'.repeat(length)]).stream();
    const init = { method: 'POST', headers, body, duplex: 'half' } as const;
    const response = await fetch(new URL('/api/clients', running.url), init);
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
    expect(logged).not.toHaveBeenCalled();
  });

  test('is idle after a time without use, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using running = await start({ idleMs: 1000 });
    const headers = { 'Console-Secret': new URL(running.url).hash.slice(1) };
    const onIdle = vi.fn();
    const idle = running.idle.then(onIdle);
    for (const path of ['/api/nothing', '/api/nothing', '/']) {
      await vi.advanceTimersByTimeAsync(999);
      await fetch(new URL(path, running.url), { headers });
    }
    expect(onIdle).not.toHaveBeenCalled();
    // Loading the page does not count as use.
    await vi.advanceTimersByTimeAsync(1);
    await idle;
  });
});
