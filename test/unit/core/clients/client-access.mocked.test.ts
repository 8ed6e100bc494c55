import type * as crypto from 'node:crypto';
import { timingSafeEqual } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ConfigsItem, meantAttribute } from '../../../../core/client-attributes.ts';
import { hasAppId, readAccess, readAccessLists } from '../../../../core/clients/client-access.ts';
import { logger } from '../../../../core/runtime/logger.ts';
import { RULES } from '../../../support/access-rules.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
beforeEach(() => {
  vi.spyOn(logger, 'error').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.clearAllMocks();
});

const record = (item: ConfigsItem) => ({
  ...readAccess({ item, lists: readAccessLists(item) }, 'demo', RULES),
  data: undefined,
});
const logged = () => vi.mocked(logger.error).mock.calls.map(([, values]) => values);

test('a record contains only the digests of App-Ids', () => {
  expect(JSON.stringify(record({ appIds: ['secret-key'] }))).not.toContain('secret');
});

test.each(['first', 'second', 'third', 'none'])(
  'the time of a check does not tell which key of a client it was: %s',
  (appId) => {
    expect(hasAppId(record({ appIds: ['first', 'second', 'third'] }), appId)).toBe(
      appId !== 'none',
    );
    expect(timingSafeEqual).toHaveBeenCalledTimes(3);
  },
);

describe('an attribute beside the keys', () => {
  test.each([
    'userPoolClientId',
    'UserPoolClientIDs',
    'user_pool_client_ids',
    'clientIds',
    'PoolIDs',
  ])('that looks like userPoolClientIds locks the client out until it is corrected: %s', (name) => {
    const read = record({ appIds: ['key'], [name]: ['app'] });
    expect(read.isLockedOut).toBe(true);
    expect(read.appClients).toEqual([]);
    expect(logged()).toEqual([
      expect.objectContaining({ attribute: 'userPoolClientIds', misspelled: name }),
    ]);
  });

  const ID = '2f4k5l6m7n8o9p0q1r2s3t4u5v';
  test.each([ID, new Set([ID]), { ios: ID }, 'eu-west-1_AbC123def', []])(
    'that has "pool" or "client" in its name, and what may be ids, is taken for it: %j',
    (value) => {
      for (const name of ['pools', 'cognitoClients', 'userPool', 'clientOfApp']) {
        expect(record({ appIds: ['key'], [name]: value }).appClients).toEqual([]);
      }
    },
  );

  test.each([
    'Pizza GmbH',
    'Since 2019.',
    'jane2@example.com',
    7,
    ['Jane Doe', 'Bo Li'],
    { name: 'Jane', phone: '089 123456' },
  ])('that has "pool" or "client" in its name, and no ids, is a note: %j', (value) => {
    for (const name of ['clientName', 'poolNote', 'clients']) {
      expect(record({ appIds: ['key'], [name]: value }).appClients).toEqual(RULES.appClients);
    }
  });

  test.each(['owner', 'notes', 'appUIs', 'team', 'lastChange'])(
    'may mean something else: %s',
    (name) => {
      expect(record({ appIds: ['key'], [name]: ['app'] }).appClients).toEqual(RULES.appClients);
      expect(logged()).toEqual([]);
    },
  );

  test.each<[item: ConfigsItem, misspelled: string | undefined]>([
    [{ appId: ['key'], userPoolClientIds: ['app'] }, 'appId'],
    [{ appIds: [], appId: ['key'] }, undefined],
    [{ clientKey: ['key'], userPoolClientIds: ['app'] }, undefined],
    [{ appIds: ['key ', ' key', 'key\n', '\ufeffkey'], userPoolClientIds: ['app'] }, undefined],
  ])('is named as misspelled appIds only if it looks like them: %j', (item, misspelled) => {
    record(item);
    expect(logged()).toEqual([{ clientId: 'demo', attribute: 'appIds', misspelled }]);
  });
});

test('an attribute of a field, misspelled or not, is not meant to be one of the client', () => {
  const names = ['appUIs', 'appUI', 'appId'];
  expect(names.map(meantAttribute)).toEqual([undefined, undefined, 'appIds']);
});
