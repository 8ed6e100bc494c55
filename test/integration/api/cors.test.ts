import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headersOf } from '../../../functions/api/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/id-token.ts';
import { type Service, startService } from '../../support/service.ts';
import { templateFor } from '../../support/stack.ts';

/* Calls as browsers make them: https://fetch.spec.whatwg.org/#http-cors-protocol */

const PATHS = OPERATIONS.flatMap(({ paths }) => paths.map(({ path }) => path));
const [FIRST, SECOND, OTHER] = [
  'https://shop.example',
  'capacitor://localhost',
  'https://evil.test',
];

let service: Service;
const serve = (settings: Record<string, unknown>) => {
  beforeAll(async () => {
    service = await startService({}, undefined, undefined, templateFor(settings).toJSON());
  });
  afterAll(() => service.stop());
};

const call = (path: string, init: RequestInit) => fetch(`${service.outputs.ApiUrl}${path}`, init);

async function requestHeaders(changes: Record<string, string> = {}) {
  const idToken = await signIdToken(service.issuer);
  const requestDate = new Date().toISOString();
  const deviceId = '00000000-0000-0000-0000-000000000000';
  return { ...headersOf({ idToken, appId: 'demo-app-key', deviceId, requestDate }), ...changes };
}

/** Whether a browser would send the request of the page after this preflight. */
async function mayCall(origin: string, path: string): Promise<boolean> {
  const names = Object.keys(await requestHeaders()).map((name) => name.toLowerCase());
  const { ok, headers } = await call(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': names.sort().join(','),
    },
  });
  const listed = (name: string) =>
    (headers.get(name) ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  const allowsHeaders = names.every((name) =>
    // A wildcard does not cover Authorization.
    listed('access-control-allow-headers').includes(name),
  );
  const allowsMethod = listed('access-control-allow-methods').includes('post');
  return ok && canRead(origin, headers) && allowsMethod && allowsHeaders;
}

/** Whether a browser would show a response to the page. */
function canRead(origin: string, headers: Headers): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/** Requests that are answered in every way: by a function or by the gateway, with success or an error. */
const REQUESTS: [string, number, () => Promise<[path: string, init: RequestInit]>][] = [
  ['a success', 200, async () => ['/customerData/getConfig', await post()]],
  ['an invalid body', 400, async () => ['/customerData/getConfig', await post({}, '{}')]],
  [
    'a wrong App-Id',
    401,
    async () => ['/customerData/getConfig', await post({ 'App-Id': 'wrong' })],
  ],
  ['no headers', 401, async () => ['/promoCode/apply', { method: 'POST' }]],
  ['an unknown path', 404, async () => ['/nothing', await post()]],
  ['a wrong method', 405, async () => ['/promoCode/apply', { method: 'PUT' }]],
  ['another media type', 405, async () => ['/promoCode/apply', { method: 'PUT', body: 'text' }]],
  [
    'a body that the gateway refuses',
    413,
    async () => ['/promoCode/apply', await post({}, 'x'.repeat(10 * 1024 * 1024 + 1))],
  ],
];

async function post(headers = {}, body = '{"clientId":"demo"}'): Promise<RequestInit> {
  return { method: 'POST', headers: await requestHeaders(headers), body };
}

describe('two origins', () => {
  serve({ corsOrigins: [FIRST, SECOND] });

  test.each(PATHS)('may call %s, and another may not', async (path) => {
    expect(await mayCall(FIRST, path)).toBe(true);
    expect(await mayCall(SECOND, path)).toBe(true);
    expect(await mayCall(OTHER, path)).toBe(false);
  });

  test.each(REQUESTS)(
    'can read the response to %s, its request id and its date',
    async (_, status, make) => {
      for (const origin of [FIRST, SECOND]) {
        const [path, init] = await make();
        const response = await call(path, {
          ...init,
          headers: { ...init.headers, Origin: origin },
        });
        expect(response.status).toBe(status);
        expect(canRead(origin, response.headers)).toBe(true);
        expect(response.headers.get('access-control-expose-headers')).toBe('x-amzn-RequestId,Date');
      }
    },
  );

  test('another cannot read the response of a function', async () => {
    const init = await post({ Origin: OTHER });
    const { status, headers } = await call('/customerData/getConfig', init);
    expect([status, canRead(OTHER, headers), headers.get('vary')]).toEqual([200, false, 'Origin']);
  });

  test('preflights differ by origin and are cached for two hours', async () => {
    const { headers } = await call(PATHS[0] ?? '', {
      method: 'OPTIONS',
      headers: { Origin: FIRST },
    });
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('access-control-max-age')).toBe('7200');
  });
});

describe('any origin', () => {
  serve({ corsOrigins: '*' });

  test.each(PATHS)('may call %s', async (path) => {
    expect(await mayCall(OTHER, path)).toBe(true);
  });

  test.each(REQUESTS)('can read the response to %s', async (_, status, make) => {
    const [path, init] = await make();
    const response = await call(path, { ...init, headers: { ...init.headers, Origin: OTHER } });
    expect(response.status).toBe(status);
    expect(canRead(OTHER, response.headers)).toBe(true);
  });
});

describe('without corsOrigins', () => {
  serve({});

  test('no origin may call, and a preflight is a wrong method', async () => {
    expect(await mayCall(FIRST, '/promoCode/apply')).toBe(false);
    const { status, headers } = await call('/promoCode/apply', { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each(REQUESTS)('no origin can read the response to %s', async (_, status, make) => {
    const [path, init] = await make();
    const response = await call(path, { ...init, headers: { ...init.headers, Origin: FIRST } });
    expect([response.status, canRead(FIRST, response.headers)]).toEqual([status, false]);
  });
});
