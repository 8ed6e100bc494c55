import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headersOf } from '../../../functions/http/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/cognito/id-token.ts';
import { type Service, startService } from '../../support/service.ts';
import { templateFor } from '../../support/stack.ts';

/* Calls as browsers make them: https://fetch.spec.whatwg.org/#http-cors-protocol */

const PATHS = OPERATIONS.flatMap(({ paths }) => paths.map(({ path }) => path));
const [FIRST, SECOND, OTHER] = [
  ...['https://shop.example', 'capacitor://localhost', 'https://shop.example.evil.test'],
] as [string, string, string];

let service: Service;

const call = (path: string, init: RequestInit) => fetch(`${service.outputs.ApiUrl}${path}`, init);

async function post(headers: Record<string, string> = {}, body = '{"clientId":"demo"}') {
  const idToken = await signIdToken(service.issuer);
  const good = {
    idToken,
    appId: 'demo-app-key',
    deviceId: '0',
    requestDate: new Date().toISOString(),
  };
  return { method: 'POST', headers: { ...headersOf(good), ...headers }, body };
}

/** Whether a browser would send the request of a page after this preflight. */
async function mayCall(origin: string, path: string): Promise<boolean> {
  const names = Object.keys((await post()).headers).map((name) => name.toLowerCase());
  const asked = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': names.sort().join(','),
  };
  const { ok, headers } = await call(path, {
    method: 'OPTIONS',
    headers: { Origin: origin, ...asked },
  });
  const listed = (name: string) =>
    (headers.get(name) ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  // A wildcard does not cover Authorization.
  const allowsHeaders = names.every((name) =>
    listed('access-control-allow-headers').includes(name),
  );
  const allowsMethod = listed('access-control-allow-methods').includes('post');
  return ok && canRead(origin, headers) && allowsMethod && allowsHeaders;
}

/** Whether a browser would show a response to a page. */
function canRead(origin: string, headers: Headers): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/**
 * Requests that are answered in every way: by a function or by the gateway, with success or an
 * error.
 */
const GET_CONFIG = '/customerData/getConfig';
const APPLY = '/promoCode/apply';
const REQUESTS: [status: number, path: string, make: () => Promise<RequestInit>][] = [
  [200, GET_CONFIG, () => post()],
  [400, GET_CONFIG, () => post({}, '{}')],
  [401, GET_CONFIG, () => post({ 'App-Id': 'wrong' })],
  [404, '/nothing', () => post()],
  [405, APPLY, async () => ({ method: 'PUT', headers: {} })],
  [405, APPLY, async () => ({ method: 'PUT', headers: {}, body: 'text' })],
  [413, APPLY, () => post({}, 'x'.repeat(10 * 1024 * 1024 + 1))],
];

describe.each<[corsOrigins: string | string[] | undefined, allowed: string[], refused: string[]]>([
  [
    [FIRST, SECOND],
    [FIRST, SECOND],
    [OTHER, 'null'],
  ],
  ['*', [FIRST, OTHER], []],
  [undefined, [], [FIRST]],
])('with corsOrigins %j', (corsOrigins, allowed, refused) => {
  beforeAll(async () => {
    const template = templateFor({ ...(corsOrigins && { corsOrigins }) }).toJSON();
    service = await startService({}, undefined, undefined, template);
  });
  afterAll(() => service.stop());

  test.each(PATHS)('only pages of these origins may call %s', async (path) => {
    for (const origin of allowed) expect(await mayCall(origin, path)).toBe(true);
    for (const origin of refused) expect(await mayCall(origin, path)).toBe(false);
  });

  test.each(REQUESTS)('only they can read a response: %i of %s', async (status, path, make) => {
    for (const origin of [...allowed, ...refused]) {
      const init = await make();
      const response = await call(path, { ...init, headers: { ...init.headers, Origin: origin } });
      const { headers } = response;
      expect(response.status).toBe(status);
      // Gateway responses are the same for all: a browser shows them to the page only if it may
      // call.
      if (refused.includes(origin) && status < 404) expect(canRead(origin, headers)).toBe(false);
      if (!allowed.includes(origin)) continue;
      expect(canRead(origin, headers)).toBe(true);
      expect(headers.get('access-control-expose-headers')).toBe(
        'x-amzn-RequestId,Date,Retry-After',
      );
    }
  });

  test('responses and preflights that differ by origin say so to caches', async () => {
    const differs = Array.isArray(corsOrigins) ? 'Origin' : undefined;
    for (const origin of [FIRST, OTHER, undefined]) {
      const headers = { ...(origin && { Origin: origin }) };
      // Unlike `fetch`, it sends the name in these letters.
      const answer = await service.getConfig({ headers });
      const shown = corsOrigins === '*' ? '*' : allowed.find((one) => one === origin);
      expect(answer.headers['access-control-allow-origin']).toBe(shown);
      expect(answer.headers.vary).toBe(differs);
      const preflight = await call(GET_CONFIG, { method: 'OPTIONS', headers });
      if (origin !== FIRST) continue;
      expect(preflight.headers.get('vary') ?? undefined).toBe(differs);
      expect(preflight.headers.get('access-control-max-age')).toBe(corsOrigins ? '7200' : null);
      expect(preflight.headers.get('allow')).toBe(corsOrigins ? null : 'POST');
    }
  });
});
