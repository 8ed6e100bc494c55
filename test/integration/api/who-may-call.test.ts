import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { type Service, startService } from '../../support/service.ts';

/* Tenants share a user pool, and operators edit by hand who may call. In doubt, nobody may. */

const KEYS = ['key-one', 'key-two', 'key-three'];
/** The app clients of the deployment. */
const APPS = ['app-one', 'app-two', 'app-three'];
const OTHER_KEYS = ['KEY-ONE', 'key-one,key-two', '7'];
const OTHER_APPS = ['app-four', 'app-one,app-two', 'null', ''];

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
  'misspelled app clients': [{ appIds: KEYS, userPoolClientId: ['app-one'] }, KEYS],
  'a note about app clients': [{ appIds: KEYS, clientGroups: ['gold'] }, KEYS],
};

function of(userPoolClientIds: unknown, apps: string[]): [Item, string[], string[]] {
  return [{ appIds: KEYS, userPoolClientIds }, KEYS, apps];
}

describe.each([false, true])('if userPoolClientIds are required: %s', (required) => {
  let service: Service;
  const refusals = new Set<string>();
  beforeAll(async () => {
    const environment = {
      REQUIRE_USER_POOL_CLIENT_IDS: String(required),
      USER_POOL_CLIENT_IDS: APPS.join(),
    };
    service = await startService({ environment });
  });
  afterAll(() => service.stop());

  test.each(Object.entries(CLIENTS))('a client with %s', async (clientId, [item, keys, apps]) => {
    const goodApps = keys.length === 0 ? [] : (apps ?? (required ? [] : APPS));
    const goodKeys = goodApps.length === 0 ? [] : keys;
    const { logged } = service.watchLog();
    await service.putConfig({ clientId, fields: [], lastFieldId: 0, ...item });
    const mayCall = async (appId: string, aud: string, operation: Operation = getConfig) => {
      const { status, body } = await service.send(operation, {
        headers: { 'App-Id': appId },
        token: { claims: { aud } },
        body: { ...operation.example.request, clientId },
      });
      expect([200, 401]).toContain(status);
      if (status !== 200) refusals.add(JSON.stringify(body));
      return status === 200;
    };
    const [goodKey = 'key-one'] = goodKeys;
    const [goodApp = 'app-one'] = goodApps;
    for (const key of [...KEYS, ...OTHER_KEYS]) {
      expect([key, await mayCall(key, goodApp)]).toEqual([key, goodKeys.includes(key)]);
    }
    for (const app of [...APPS, ...OTHER_APPS]) {
      expect([app, await mayCall(goodKey, app)]).toEqual([app, goodApps.includes(app)]);
    }
    expect(await mayCall(goodKey, goodApp, applyPromoCode)).toBe(goodKeys.length > 0);
    // The operator learns which attribute refuses everybody. The caller learns nothing.
    if (goodKeys.length === 0) {
      const attribute = keys.length === 0 ? 'appIds' : 'userPoolClientIds';
      await logged(`"clientId":"${clientId}","attribute":"${attribute}"`);
    }
    expect(refusals.size).toBe(1);
  });
});
