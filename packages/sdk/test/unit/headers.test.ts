import { ALL_HEADERS, getConfig as operation } from 'customer-data-api/operations';
import { expect, test, vi } from 'vitest';
import { getConfig } from '../../src/index.ts';

test('the app SDK, which imports nothing, sends the headers of the service', async () => {
  const fetched = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('no network')));
  const session = {
    baseUrl: 'https://api.example.com',
    appId: 'key',
    deviceId: 'device',
    idToken: () => 'token',
    refreshTokens: async () => {},
    fetch: fetched,
  };
  const options = { language: 'de', installationId: 'installation' };
  await getConfig(session, operation.example.request, options);
  const sent = new Headers(fetched.mock.lastCall?.[1]?.headers);
  const names = ALL_HEADERS.map(({ name }) => name.toLowerCase());
  expect([...sent.keys()].toSorted()).toEqual(names.toSorted());
});
