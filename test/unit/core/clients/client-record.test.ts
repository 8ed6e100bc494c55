import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  acceptsAudience,
  admitsNobody,
  appIdsIn,
  type ConfigsItem,
  hasAppId,
  joinedAppIds,
  meantAttribute,
  readAccess,
} from '../../../../core/clients/client-record.ts';
import { checkConfiguration } from '../../../../core/configuration/check-configuration.ts';
import { logger } from '../../../../core/platform/logger.ts';

beforeEach(() => {
  vi.spyOn(logger, 'error').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const record = (item: ConfigsItem, required = false) => ({
  ...readAccess(item, 'demo', required),
  data: undefined,
});

describe.each([
  ['appIds', hasAppId],
  ['userPoolClientIds', acceptsAudience],
] as const)('%s', (attribute, accepts) => {
  const other = attribute === 'appIds' ? {} : { appIds: ['key'] };

  test.each([
    ['a string set', new Set(['a', 'b', 'c'])],
    ['a list', ['a', 'b', 'c']],
    ['a list with damaged entries', ['a', null, 'b', 7, '', 'c', {}]],
  ])('as %s accept each of their strings, at any position, and no other', (_, stored) => {
    const read = record({ ...other, [attribute]: stored });
    for (const good of ['a', 'b', 'c']) expect(accepts(read, good)).toBe(true);
    for (const bad of ['', 'd', 'A', 'ab', 'a,b,c', 'null', '7', '[object Object]']) {
      expect(accepts(read, bad)).toBe(false);
    }
    expect(logger.error).not.toHaveBeenCalled();
  });

  test('may be a single string', () => {
    const read = record({ ...other, [attribute]: 'a' });
    expect(accepts(read, 'a')).toBe(true);
    expect(accepts(read, 'b')).toBe(false);
  });

  test.each([
    ['an empty list', []],
    ['an empty string', ''],
    ['a list of an empty string', ['']],
    ['a map', { a: 'a' }],
    ['a number', 7],
    ['NULL', null],
  ])('as %s accept nobody, and log it for the operator', (_, stored) => {
    const read = record({ ...other, [attribute]: stored });
    for (const value of ['', 'a', '7', 'null', 'undefined']) {
      expect(accepts(read, value)).toBe(false);
    }
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      'Every request of the client is refused: an attribute contains no string',
      { clientId: 'demo', attribute, expected: 'a string set or a list of strings' },
    );
  });
});

test('without userPoolClientIds, a client accepts every audience of the deployment', () => {
  expect(acceptsAudience(record({ appIds: ['key'] }), 'any')).toBe(true);
  expect(logger.error).not.toHaveBeenCalled();
});

test('without userPoolClientIds, a client accepts nobody if they are required, and the log says what is missing', () => {
  const read = record({ appIds: ['key'] }, true);
  for (const audience of ['any', '', 'undefined'])
    expect(acceptsAudience(read, audience)).toBe(false);
  expect(logger.error).toHaveBeenCalledExactlyOnceWith(
    'Every request of the client is refused: an attribute contains no string',
    {
      clientId: 'demo',
      attribute: 'userPoolClientIds',
      expected: 'a string set or a list of strings',
    },
  );
});

test('required userPoolClientIds accept what they contain, and nothing else', () => {
  const read = record({ appIds: ['key'], userPoolClientIds: ['a', 'b', 'c'] }, true);
  for (const good of ['a', 'b', 'c']) expect(acceptsAudience(read, good)).toBe(true);
  expect(acceptsAudience(read, 'd')).toBe(false);
  expect(logger.error).not.toHaveBeenCalled();
});

test('without appIds, a client accepts nobody', () => {
  expect(hasAppId(record({}), '')).toBe(false);
  expect(logger.error).toHaveBeenCalledOnce();
});

test.each<[boolean, ConfigsItem]>([
  [true, {}],
  [true, { appIds: [] }],
  [true, { appIds: ['key'], userPoolClientIds: {} }],
  [false, { appIds: ['key'] }],
  [false, { appIds: ['key'], userPoolClientIds: ['app'] }],
])('it is %s that nobody is admitted by %j', (expected, item) => {
  expect(admitsNobody(record(item))).toBe(expected);
});

test('a record contains only the digests of App-Ids', () => {
  expect(JSON.stringify(record({ appIds: ['secret-key'] }))).not.toContain('secret');
});

describe('an attribute that looks like a misspelling', () => {
  test.each([
    ...['userPoolClientId', 'userpoolClientIds', 'UserPoolClientIDs', 'userPoolClients'],
    ...['user_pool_client_ids', 'USERPOOLCLIENTIDS', 'userPoolIds', 'clientIds', 'userPool'],
    ...['app_client_ids', 'PoolIDs', 'client-id'],
  ])('admits nobody until it is corrected: %s', (name) => {
    const read = record({ appIds: ['key'], [name]: ['app'] });
    expect(admitsNobody(read)).toBe(true);
    expect(acceptsAudience(read, 'app')).toBe(false);
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      'Every request of the client is refused: an attribute contains no string',
      expect.objectContaining({ attribute: 'userPoolClientIds', misspelled: name }),
    );
  });

  test('changes nothing beside the right one: the client would be locked out for an attribute that nobody reads', () => {
    const item = { appIds: ['key'], userPoolClientIds: ['app'], userPoolClientId: ['other'] };
    expect(acceptsAudience(record(item), 'app')).toBe(true);
    expect(acceptsAudience(record(item), 'other')).toBe(false);
  });

  test('beside appIds gives nobody access either, and is an error', () => {
    const item = {
      clientId: 'demo',
      appIds: ['key'],
      appid: ['other'],
      fields: [],
      lastFieldId: 0,
    };
    expect(hasAppId(record(item), 'key')).toBe(true);
    expect(hasAppId(record(item), 'other')).toBe(false);
    expect(checkConfiguration(item)).toMatchObject([{ severity: 'error', path: ['appid'] }]);
  });

  test.each(['owner', 'notes', 'appUIs', 'team', 'lastChange'])(
    'is not one of another meaning: %s',
    (name) => {
      expect(acceptsAudience(record({ appIds: ['key'], [name]: ['app'] }), 'app')).toBe(true);
    },
  );
});

test.each([
  ['an empty one of the right name', { appIds: [], appId: ['key'] }],
  ['one of another meaning', { clientKey: ['key'], userPoolClientIds: ['app'] }],
])('the log takes no attribute for misspelled appIds beside %s', (_, item) => {
  record(item);
  expect(logger.error).toHaveBeenCalledExactlyOnceWith(
    'Every request of the client is refused: an attribute contains no string',
    expect.objectContaining({ attribute: 'appIds', misspelled: undefined }),
  );
});

test('an attribute of a field, misspelled or not, is not meant to be one of the client', () => {
  expect(meantAttribute('appUIs')).toBeUndefined();
  expect(meantAttribute('appUI')).toBeUndefined();
  expect(meantAttribute('appId')).toBe('appIds');
});

test.each(['appIds', 'userPoolClientIds'])(
  'one string with a comma in %s is several keys that were written as one: it admits nobody',
  (attribute) => {
    const read = record({ appIds: ['key'], [attribute]: 'a,b' });
    expect(admitsNobody(read)).toBe(true);
    for (const key of ['a', 'b', 'a,b']) {
      expect(hasAppId(read, key) && acceptsAudience(read, key)).toBe(false);
    }
  },
);

test('ids of app clients that were all written with a comma or a space admit nobody', () => {
  const of = (...ids: string[]) => record({ appIds: ['key'], userPoolClientIds: new Set(ids) });
  expect(admitsNobody(of('a,b'))).toBe(true);
  expect(admitsNobody(of('a b', 'c, d'))).toBe(true);
  expect(admitsNobody(of('a\tb'))).toBe(true);
  expect(acceptsAudience(of('a,b', 'c'), 'c')).toBe(true);
});

test.each<[stored: unknown, appIds: string[] | undefined]>([
  [new Set(['a', 'b']), ['a', 'b']],
  [['a'], ['a']],
  ['a', ['a']],
  [['a', 7], undefined],
  [['a', ''], undefined],
  [[], undefined],
  ['a,b', undefined],
  [undefined, undefined],
])('the App-Ids in %j, under whatever name, are all of its values or none', (stored, appIds) => {
  expect(appIdsIn({ appId: stored }, 'appId')).toEqual(appIds);
});

test.each<[stored: unknown, appIds: string[]]>([
  ['a, b ,c', ['a', 'b', 'c']],
  ['a,,b,', ['a', 'b']],
  ['a', []],
  [['a,b'], []],
  [undefined, []],
])('appIds that is %j joins %j', (stored, appIds) => {
  expect(joinedAppIds({ appIds: stored })).toEqual(appIds);
});
