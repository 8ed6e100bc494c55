import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getConfig } from '../../../functions/get-config/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/cognito/id-token.ts';
import { generateSigningKey, type SigningKey } from '../../../local/cognito/issuer.ts';
import { close, listen } from '../../../local/listen.ts';
import { type Service, startService } from '../../support/service.ts';

/* Tenants share a user pool, and operators edit by hand who may call. In doubt, nobody may. */

const KEYS = ['key-one', 'key-two', 'key-three'];
/** The app clients of the deployment. */
const APPS = ['app-one', 'app-two', 'app-three'];
const OTHER_KEYS = ['key', 'KEY-ONE', 'key-one,key-two', 'null', '7'];
const OTHER_APPS = ['app-four', 'app', 'app-one,app-two', 'null', ''];

type Item = Readonly<Record<string, unknown>>;

/**
 * The attributes of a client, and the App-Ids and app clients that it accepts. Beside
 * `userPoolClientIds`, all keys are good.
 */
const CLIENTS: Readonly<Record<string, [item: Item, keys: string[], apps?: string[]]>> = {
  'App-Ids in a string set': [{ appIds: new Set(KEYS) }, KEYS],
  'App-Ids in a list': [{ appIds: KEYS }, KEYS],
  'App-Ids beside damaged entries': [{ appIds: [null, 7, '', {}, ...KEYS] }, KEYS],
  'an App-Id alone': [{ appIds: 'key-one' }, ['key-one']],
  'App-Ids in one string': [{ appIds: 'key-one,key-two' }, []],
  'no App-Ids': [{}, []],
  'an empty list of App-Ids': [{ appIds: [] }, []],
  'App-Ids in a map': [{ appIds: { key: 'key-one' } }, []],
  'misspelled App-Ids': [{ appId: KEYS }, []],
  'App-Ids beside misspelled ones': [{ appIds: ['key-two'], appId: ['key-one'] }, ['key-two']],
  'app clients in a string set': of(new Set(['another', 'app-two']), ['app-two']),
  'app clients in a list': of(['app-three', null, 'app-one'], ['app-one', 'app-three']),
  'an app client alone': of('app-one', ['app-one']),
  'an app client of another deployment': of(['app-four', 'app-two'], ['app-two']),
  'app clients with similar names': of(['app-one-more', 'an-app-one'], []),
  'app clients in one string': of('app-one,app-two', []),
  'app clients in one entry': of(new Set(['app-one, app-two']), []),
  'an empty list of app clients': of([], []),
  'app clients that are NULL': of(null, []),
  'app clients that are a number': of(7, []),
  'misspelled app clients': [{ appIds: KEYS, userPoolClientId: ['app-one'] }, KEYS, []],
};

function of(userPoolClientIds: unknown, apps: string[]): [Item, string[], string[]] {
  return [{ appIds: KEYS, userPoolClientIds }, KEYS, apps];
}

describe.each([false, true])('if userPoolClientIds are required: %s', (required) => {
  let service: Service;
  let refusals: Set<string>;
  beforeAll(async () => {
    refusals = new Set();
    service = await startService({
      REQUIRE_USER_POOL_CLIENT_IDS: String(required),
      USER_POOL_CLIENT_IDS: APPS.join(),
    });
  });
  afterAll(() => service.stop());

  /** Those of some values with which a call is accepted. */
  async function accepted(values: readonly string[], call: (value: string) => Promise<number>) {
    const statuses = await Promise.all(values.map(call));
    for (const status of statuses) expect([200, 401]).toContain(status);
    return values.filter((_, index) => statuses[index] === 200);
  }

  test.each(Object.entries(CLIENTS))('a client with %s', async (clientId, [item, keys, apps]) => {
    const isOpen = apps === undefined && !required;
    const goodApps = keys.length === 0 ? [] : (apps ?? (isOpen ? APPS : []));
    const goodKeys = goodApps.length === 0 ? [] : keys;
    const { logged } = service.watchLog();
    await service.putConfig({ clientId, fields: [], lastFieldId: 0, ...item });
    const call = async (appId: string, aud: string, operation = getConfig as Operation) => {
      const { status, body } = await service.send(operation, {
        headers: { 'App-Id': appId },
        token: { claims: { aud } },
        body: { ...operation.example.request, clientId },
      });
      if (status !== 200) refusals.add(JSON.stringify(body));
      return status;
    };
    const [goodKey = 'key-one'] = goodKeys;
    const [goodApp = 'app-one'] = goodApps;
    expect(await accepted([...KEYS, ...OTHER_KEYS], (key) => call(key, goodApp))).toEqual(goodKeys);
    expect(await accepted([...APPS, ...OTHER_APPS], (app) => call(goodKey, app))).toEqual(goodApps);
    for (const operation of OPERATIONS) {
      expect(await call(goodKey, goodApp, operation)).toBe(goodKeys.length > 0 ? 200 : 401);
    }
    // The operator learns which attribute refuses everybody. The caller learns nothing.
    if (goodKeys.length === 0 && !clientId.includes('similar')) {
      await logged(
        `"clientId":"${clientId}","attribute":"${keys.length === 0 ? 'appIds' : 'userPoolClientIds'}"`,
      );
    }
    expect(refusals.size).toBe(1);
  });

  test('the examples of the local server may call', async () => {
    await using local = await startService({ REQUIRE_USER_POOL_CLIENT_IDS: String(required) });
    for (const clientId of ['demo', 'acme']) {
      const headers = { 'App-Id': `${clientId}-app-key` };
      expect((await local.getConfig({ headers, body: { clientId } })).status).toBe(200);
    }
  });
});

test('tokens of each key in the key set are accepted, and of no other key', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => generateSigningKey()));
  const published = keys.map(({ kty, n, e, alg, use, kid }) => ({ kty, n, e, alg, use, kid }));
  const keySet = createServer((_, response) => response.end(JSON.stringify({ keys: published })));
  const url = await listen(keySet);
  await using service = await startService({ AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url });
  const statusOf = async (signingKey: SigningKey) => {
    const token = await signIdToken({ ...service.issuer, signingKey });
    return (await service.getConfig({ headers: { Authorization: `Bearer ${token}` } })).status;
  };
  for (const key of keys) expect(await statusOf(key)).toBe(200);
  expect(await statusOf(await generateSigningKey())).toBe(401);
  await close(keySet);
});
