import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { close } from '../../../local/listen.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const TEXT_FIELD = {
  id: '1',
  fieldType: 'text',
  fieldName: 'Nickname',
  mandatory: true,
  appUIs: ['register'],
  allowMultiple: false,
  subFieldA: {
    subType: 'text',
    placeHolderText: '',
    allowCopies: false,
    alpha: true,
    numbers: false,
    symbols: false,
    maxChars: 20,
  },
};

test('returns text, drop and combo fields in the exact shape of the spec', async () => {
  const { status, body } = await service.getConfig();
  expect(status).toBe(200);
  expect(body.warnings).toEqual([]);
  const { fields, lastFieldId } = body.data;
  expect(lastFieldId).toBe(4);
  expect(fields).toHaveLength(4);
  expect(fields[0]).toEqual({
    id: '1',
    fieldType: 'text',
    mandatory: false,
    appUIs: ['register', 'profile'],
    fieldName: 'Company',
    subFieldA: {
      subType: 'text',
      placeHolderText: 'Where you work',
      allowCopies: false,
      alpha: true,
      numbers: true,
      symbols: true,
      maxChars: 40,
      options: '',
      optionsArray: [],
    },
    subFieldB: {},
    allowMultiple: false,
    addButtonText: '',
  });
  expect(fields[1]).toEqual({
    id: '2',
    fieldType: 'drop',
    mandatory: true,
    appUIs: ['register', 'profile'],
    fieldName: 'Preferred contact',
    subFieldA: {
      subType: 'drop',
      placeHolderText: 'Choose one',
      allowCopies: false,
      alpha: false,
      numbers: false,
      symbols: false,
      options: 'By e-mail:mail\nBy phone:phone\nPlease do not:none',
      optionsArray: [
        { value: 'mail', display: 'By e-mail' },
        { value: 'phone', display: 'By phone' },
        { value: 'none', display: 'Please do not' },
      ],
    },
    subFieldB: {},
    allowMultiple: false,
    addButtonText: '',
  });
  expect(Object.keys(fields[2]).sort()).toEqual([
    'addButtonText',
    'fieldName',
    'fieldType',
    'id',
    'mandatory',
    'subFieldA',
    'subFieldB',
  ]);
  expect(fields[2]).toMatchObject({
    fieldType: 'combo',
    subFieldA: { subType: 'drop' },
    subFieldB: { subType: 'text', maxChars: 10 },
  });
  expect(fields[3]).toMatchObject({ allowMultiple: true, addButtonText: 'Add a child' });
});

test('is served under the path of the spec and under the path of the project', async () => {
  const body = { clientId: 'demo' };
  const [one, other] = [
    await service.call('/customData/getConfig', { body }),
    await service.call('/customerData/getConfig', { body }),
  ];
  expect(one.status).toBe(200);
  expect(one).toEqual(other);
});

test('warns how many values were removed from the request, and which', async () => {
  const body = { clientId: 'demo', clientID: 'x', extra: { deep: [1] } };
  const answer = await service.getConfig({ body });
  expect(answer.body.warnings).toEqual([
    '2 values were removed from the request data: clientID, extra.',
  ]);
  expect(answer.body.data.fields).toHaveLength(4);
});

test.each([
  ['a media type with parameters', { 'Content-Type': 'Application/JSON; charset=utf-8' }],
  ['an offset of zero', { 'Request-Date': `${new Date().toISOString().slice(0, 19)}+00:00` }],
  ['an advertising id of a phone', { 'Device-Id': '38400000-8cf0-11bd-b23e-10b96e40000d' }],
])('takes %s', async (_, headers) => {
  expect((await service.getConfig({ headers })).status).toBe(200);
});

describe('tenants', () => {
  test('each client has its own configuration', async () => {
    const answer = await service.getConfig({
      headers: { 'App-Id': 'acme-app-key' },
      body: { clientId: 'acme' },
    });
    expect(answer.body.data.fields).toEqual([
      expect.objectContaining({ fieldName: 'Loyalty card number' }),
    ]);
  });

  test('the App-Id of one client gives no access to another', async () => {
    const answers = [
      await service.getConfig({ body: { clientId: 'acme' } }),
      await service.getConfig({ headers: { 'App-Id': 'acme-app-key' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("a token of another client's app is refused if the client names its own app clients", async () => {
    const { userPoolClientId } = service.issuer;
    for (const [clientId, userPoolClientIds, status] of [
      ['bound', new Set([userPoolClientId]), 200],
      ['bound-by-list', ['another', userPoolClientId], 200],
      ['bound-by-text', userPoolClientId, 200],
      ['bound-elsewhere', new Set(['another']), 401],
      ['bound-to-nothing', [], 401],
      ['bound-to-null', null, 401],
      ['bound-to-a-number', 7, 401],
    ] as const) {
      await service.putConfig({ clientId, appIds: ['demo-app-key'], userPoolClientIds });
      const answer = await service.getConfig({ body: { clientId } });
      expect([clientId, answer.status]).toEqual([clientId, status]);
    }
  });
});

describe('appIds', () => {
  test.each([
    ['a string set', new Set(['old-key', 'demo-app-key']), 200],
    ['a list', ['old-key', 'demo-app-key'], 200],
    ['a list with damaged entries', [null, 7, '', 'demo-app-key'], 200],
    ['a single string', 'demo-app-key', 200],
    ['nothing', undefined, 401],
    ['an empty list', [], 401],
    ['a map', { key: 'demo-app-key' }, 401],
  ])('%s', async (kind, appIds, status) => {
    const clientId = `app-ids-${kind}`;
    await service.putConfig({ clientId, ...(appIds !== undefined && { appIds }) });
    const { logged } = service.watchLog();
    const answer = await service.getConfig({ body: { clientId } });
    expect(answer.status).toBe(status);
    if (status === 401) await logged(clientId, '"attribute":"appIds"');
  });
});

describe('the cache', () => {
  test('serves many requests with one read', async () => {
    await service.putConfig({ clientId: 'busy', appIds: ['demo-app-key'], fields: [TEXT_FIELD] });
    const readsBefore = service.databaseCalls.filter((call) => call === 'GetItem').length;
    const body = { clientId: 'busy' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => service.getConfig({ body })),
    );
    for (const answer of answers) expect(answer.body.data.fields).toHaveLength(1);
    const reads = service.databaseCalls.filter((call) => call === 'GetItem').length - readsBefore;
    expect(reads).toBe(1);
  });

  test("applies an operator's edit and a withdrawn App-Id after the cache time", async () => {
    await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
    const body = { clientId: 'edited' };
    expect((await uncached.getConfig({ body })).status).toBe(401);
    await uncached.putConfig({ ...body, appIds: ['demo-app-key'], fields: [TEXT_FIELD] });
    expect((await uncached.getConfig({ body })).body.data.fields[0].fieldName).toBe('Nickname');
    const renamed = { ...TEXT_FIELD, fieldName: 'Called' };
    await uncached.putConfig({ ...body, appIds: ['demo-app-key'], fields: [renamed] });
    expect((await uncached.getConfig({ body })).body.data.fields[0].fieldName).toBe('Called');
    await uncached.putConfig({ ...body, appIds: ['new-key'], fields: [renamed] });
    expect((await uncached.getConfig({ body })).status).toBe(401);
  });

  test('serves the last good configuration while DynamoDB is down, with a warning', async () => {
    await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
    const before = await uncached.getConfig();
    const { logged } = uncached.watchLog();
    await close(uncached.servers.database);
    const after = await uncached.getConfig();
    expect(after.status).toBe(200);
    expect(after.body.data).toEqual(before.body.data);
    expect(after.body.warnings).toEqual([expect.stringContaining('may be out of date')]);
    await logged('"LastGoodConfigServed":1', 'its last good copy is served', 'ECONNREFUSED');
    const neverRead = await uncached.getConfig({
      headers: { 'App-Id': 'acme-app-key' },
      body: { clientId: 'acme' },
    });
    expect(neverRead.status).toBe(503);
  });
});
