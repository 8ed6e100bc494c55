import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXPOSED_HEADERS, HEADERS } from '../../../functions/http/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { type Call, type Service, startService } from '../../support/service.ts';
import { templateFor } from '../../support/stack.ts';

/* Calls as browsers make them: https://fetch.spec.whatwg.org/#http-cors-protocol */

const PATHS = OPERATIONS.map(({ path }) => path);
const [FIRST, SECOND, OTHER] = [
  'https://shop.example',
  'capacitor://localhost',
  'https://shop.example.evil.test',
] as [string, string, string];
const NAMES = Object.values(HEADERS).map(({ name }) => name.toLowerCase());
/** Headers that tracing and browsers add, such as a language that is no tag. */
const ADDED = ['accept-language', 'traceparent', 'sentry-trace', 'x-datadog-trace-id'];

let service: Service;

const preflight = (path: string, origin?: string) =>
  fetch(`${service.outputs.ApiUrl}${path}`, {
    method: 'OPTIONS',
    headers: {
      ...(origin && { Origin: origin }),
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': [...NAMES, ...ADDED].toSorted().join(','),
    },
  });

/** True if a browser would send the request of a page after this preflight. */
async function mayCall(origin: string, path: string): Promise<boolean> {
  const { ok, headers } = await preflight(path, origin);
  const listed = (name: string) =>
    (headers.get(name) ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  const allowed = listed('access-control-allow-headers');
  // A wildcard does not cover Authorization, and older browsers do not know it.
  const allowsHeaders =
    NAMES.every((name) => allowed.includes(name)) &&
    (allowed.includes('*') || ADDED.every((name) => allowed.includes(name)));
  const allowsMethod = listed('access-control-allow-methods').includes('post');
  const shown = headers.get('access-control-allow-origin');
  // With credentials, the wildcard would be a name.
  const isWithout = headers.get('access-control-allow-credentials') === null;
  return ok && canRead(origin, shown) && allowsMethod && allowsHeaders && isWithout;
}

/** True if a browser would show a response to a page. */
const canRead = (origin: string, shown: unknown) => shown === '*' || shown === origin;

/** Calls that are answered by a function or by the gateway, with success or an error. */
const CALLS: [status: number, path: string, call: Call][] = [
  [200, '/customData/getConfig', { body: { clientId: 'demo' } }],
  [400, '/customData/getConfig', { body: {} }],
  [401, '/customData/getConfig', { body: { clientId: 'demo' }, headers: { 'App-Id': 'wrong' } }],
  [404, '/nothing', {}],
  [405, '/promoCode/apply', { method: 'PUT' }],
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
    service = await startService({ template });
  });
  afterAll(() => service.stop());

  const differs = Array.isArray(corsOrigins) ? 'Origin' : undefined;

  test.each(PATHS)('only pages of these origins may call %s', async (path) => {
    for (const origin of allowed) expect(await mayCall(origin, path)).toBe(true);
    for (const origin of refused) expect(await mayCall(origin, path)).toBe(false);
    const { headers } = await preflight(path, FIRST);
    expect(headers.get('vary') ?? undefined).toBe(differs);
    expect(headers.get('access-control-max-age')).toBe(corsOrigins ? '7200' : null);
    expect(headers.get('allow')).toBe(corsOrigins ? null : 'POST');
  });

  test.each(CALLS)('only they can read a response: %i of %s', async (status, path, call) => {
    for (const origin of [...allowed, ...refused, undefined]) {
      const sent = { ...call.headers, ...(origin && { Origin: origin }) };
      const { headers, ...answer } = await service.call(path, { ...call, headers: sent });
      expect(answer.status).toBe(status);
      const shown = headers['access-control-allow-origin'];
      const isAllowed = allowed.some((one) => one === origin);
      if (isAllowed) {
        expect(canRead(String(origin), shown)).toBe(true);
        const exposed = [...EXPOSED_HEADERS, ...(status === 200 ? ['Config-Version'] : [])];
        expect(headers['access-control-expose-headers']).toBe(exposed.join(','));
      }
      // Gateway responses are the same for all: a browser shows them to the page only if it may
      // call.
      if (status >= 404) continue;
      expect(shown).toBe(corsOrigins === '*' ? '*' : isAllowed ? origin : undefined);
      expect(headers.vary).toBe(differs);
    }
  });
});
