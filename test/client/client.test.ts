import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPromoCode, getConfig, type Session } from '../../client/src/index.ts';
import { signIdToken, type TokenOptions } from '../../local/issuer.ts';
import { PROMO_REQUEST, type Service, startService } from '../integration/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const session = (token: TokenOptions = {}, change: Partial<Session> = {}): Session => ({
  baseUrl: service.outputs.ApiUrl,
  appId: 'demo-app-key',
  deviceId: '00000000-0000-0000-0000-000000000000',
  idToken: () => signIdToken(service.issuer, token),
  ...change,
});

test('getConfig gives the configuration', async () => {
  const result = await getConfig(session(), { clientId: 'demo' });
  if (result.outcome !== 'success') throw new Error(JSON.stringify(result));
  const [text, drop] = result.data.fields;
  expect(result.data.lastFieldId).toBe(4);
  // Each alternative has its own properties once it is told apart.
  expect(text?.fieldType === 'text' && text.subFieldA.maxChars).toBe(40);
  expect(drop?.fieldType === 'drop' && drop.subFieldA.optionsArray.length).toBe(3);
});

test('applyPromoCode applies a code once when it is sent again with its date', async () => {
  const requestDate = new Date();
  const results = [1, 2].map(() => applyPromoCode(session(), PROMO_REQUEST, { requestDate }));
  for (const result of await Promise.all(results)) {
    expect(result).toMatchObject({
      outcome: 'success',
      data: { message: 'The promo code was applied.' },
    });
  }
  expect(await service.promoEvents()).toHaveLength(1);
});

test('warnings arrive', async () => {
  const request = { clientId: 'demo', more: 1 };
  expect(await getConfig(session(), request)).toMatchObject({
    outcome: 'success',
    warnings: ['1 value was removed from the request data: more.'],
  });
});

describe('what went wrong is a result', () => {
  test('an expired token is told apart', async () => {
    const result = await getConfig(session({ expiresInSeconds: -5 }), { clientId: 'demo' });
    expect(result).toMatchObject({
      outcome: 'tokenExpired',
      error: { message: 'Access Token has expired', statusCode: 400 },
    });
  });

  test('an error has its structure and its entries', async () => {
    const request = { ...PROMO_REQUEST, promoCode: '', source: '' };
    expect(await applyPromoCode(session(), request)).toMatchObject({
      outcome: 'error',
      error: { code: 'ValidationException', retryable: false },
      errors: [{ pointer: '/promoCode' }, { pointer: '/source' }],
    });
    expect(await getConfig(session({}, { appId: 'wrong' }), { clientId: 'demo' })).toMatchObject({
      outcome: 'error',
      error: { code: 'Unauthorized' },
    });
  });

  test.each<[string, Partial<Session>]>([
    ['nobody listens', { baseUrl: 'http://127.0.0.1:1' }],
    ['the answer is no JSON', { fetch: async () => new Response('<html>') }],
    ['the answer is no envelope', { fetch: async () => new Response('null') }],
    ['there is no token', { idToken: () => Promise.reject(new Error('signed out')) }],
  ])('no answer: %s', async (_, change) => {
    const result = await getConfig(session({}, change), { clientId: 'demo' });
    expect(result).toEqual({ outcome: 'noAnswer', cause: expect.any(Error) });
  });
});

describe('the package', () => {
  test('lists only what belongs', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], {
      cwd: 'client',
    });
    const [packed] = Object.values<{ files: { path: string }[] }>(
      JSON.parse(stdout.slice(stdout.search(/^[[{]/m))),
    );
    expect(packed?.files.map(({ path }) => path).sort()).toEqual([
      'dist/index.d.ts',
      'dist/index.js',
      'dist/openapi.d.ts',
      'dist/openapi.js',
      'package.json',
    ]);
  });

  test('needs nothing of Node and no package', async () => {
    expect(await readFile('client/src/index.ts', 'utf8')).not.toMatch(/node:|process\.|Buffer/);
    expect(JSON.parse(await readFile('client/package.json', 'utf8'))).not.toHaveProperty(
      'dependencies',
    );
  });
});
