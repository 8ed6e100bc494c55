import { expect, test } from 'vitest';
import { applyPromoCode, type Configuration, getConfig, type Session } from '../../src/index.ts';
import { fakeFetch } from '../../src/testing.ts';

const REQUEST = {
  clientId: 'demo',
  promoCode: 'SUMMER26',
  userId: 'demo-user',
  eventType: 'promo_applied',
  source: 'profile',
};
const sessionWith = (answers: Parameters<typeof fakeFetch>[0]): Session => ({
  baseUrl: 'https://api.example.com',
  appId: 'key',
  deviceId: null,
  idToken: () => 'a.b.c',
  fetch: fakeFetch(answers),
});

test('a fake gives each operation its answers in order, and then the last one again', async () => {
  const configuration: Configuration = {
    fields: [],
    lastFieldId: 3,
    configVersion: 'a1b2',
    language: 'de',
  };
  const session = sessionWith({
    getConfig: ['ServiceUnavailableException', configuration],
    applyPromoCode: ['noAnswer', 'queued', 'ValidationException'],
  });
  const load = () => getConfig(session, { clientId: 'demo' });
  const apply = () => applyPromoCode(session, REQUEST);
  const [unavailable, ...loaded] = [await load(), await load(), await load()];
  expect(unavailable).toMatchObject({
    outcome: 'error',
    error: { code: 'ServiceUnavailableException', statusCode: 503, retryable: true },
  });
  for (const one of loaded) expect(one).toMatchObject({ outcome: 'success', data: configuration });
  const invalid = { outcome: 'error', errors: [{ pointer: '/promoCode' }] };
  for (const expected of [
    { outcome: 'noAnswer' },
    { outcome: 'success', data: { outcome: 'queued' } },
    invalid,
    invalid,
  ])
    expect(await apply()).toMatchObject(expected);
  // Without an answer, the connection is lost.
  expect((await getConfig(sessionWith({}), { clientId: 'demo' })).outcome).toBe('noAnswer');
});
