import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { close } from '../../../local/listen.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

const ONE_REMOVED = '1 value was removed from the request data: more.';
const STALE = 'The configuration may be out of date: it could not be read again.';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const PROMO_REQUEST_AND_MORE = { ...PROMO_REQUEST, more: 1 };

describe('an error response has the warnings that were collected before the error', () => {
  test.each([
    ['400', 400, { body: { ...PROMO_REQUEST_AND_MORE, source: '' } }],
    ['401', 401, { headers: { 'App-Id': 'wrong' }, body: PROMO_REQUEST_AND_MORE }],
    ['403', 403, { token: { user: 'another' }, body: PROMO_REQUEST_AND_MORE }],
  ])('%s', async (_, expected, call) => {
    const { status, body } = await service.applyPromoCode(call);
    expect(status).toBe(expected);
    expect(body.warnings).toEqual([ONE_REMOVED]);
    expect(body.notices).toEqual([]);
  });

  test('500 and 503', async () => {
    await using broken = await startService({ CONFIGS_TABLE_NAME: 'NoSuchTable' });
    const body = { clientId: 'demo', more: 1 };
    const failed = await broken.getConfig({ body });
    expect([failed.status, failed.body.warnings]).toEqual([500, [ONE_REMOVED]]);
    await close(broken.servers.database);
    const unavailable = await broken.getConfig({ body });
    expect([unavailable.status, unavailable.body.warnings]).toEqual([503, [ONE_REMOVED]]);
  });

  test('none, if the check that failed comes before the body is read', async () => {
    for (const call of [
      { headers: { 'Device-Id': undefined } },
      { token: { expiresInSeconds: -5 } },
    ]) {
      const { body } = await service.applyPromoCode({ ...call, body: PROMO_REQUEST_AND_MORE });
      expect(body.warnings).toEqual([]);
    }
  });
});

test('the warnings of one request are not in the response to the next request of the same client', async () => {
  for (const operation of OPERATIONS) {
    const body = { ...operation.example.request, more: 1 };
    for (const _ of ['once', 'and again']) {
      expect((await service.send(operation, { body })).body.warnings).toEqual([ONE_REMOVED]);
      expect((await service.send(operation)).body.warnings).toEqual([]);
    }
  }
});

test('concurrent requests do not mix their warnings', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `name-${index}`);
  const answers = await Promise.all(
    names.map((name) => service.getConfig({ body: { clientId: 'demo', [name]: 1 } })),
  );
  expect(answers.map(({ body }) => body.warnings)).toEqual(
    names.map((name) => [`1 value was removed from the request data: ${name}.`]),
  );
});

test('a warning about a stale client is in successes and errors, but only for callers with access to the client', async () => {
  await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
  for (const operation of OPERATIONS) await uncached.send(operation);
  await close(uncached.servers.database);
  const body = { clientId: 'demo', more: 1 };
  expect((await uncached.getConfig({ body })).body.warnings).toEqual([ONE_REMOVED, STALE]);
  const refused = await uncached.applyPromoCode({
    token: { user: 'another' },
    body: PROMO_REQUEST_AND_MORE,
  });
  expect([refused.status, refused.body.warnings]).toEqual([403, [ONE_REMOVED, STALE]]);
  const wrongKey = await uncached.getConfig({ headers: { 'App-Id': 'wrong' }, body });
  expect([wrongKey.status, wrongKey.body.warnings]).toEqual([401, [ONE_REMOVED]]);
});
