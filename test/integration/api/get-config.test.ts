import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { DOCUMENT } from '../../../openapi/validation.ts';
import { PIZZA } from '../../support/configurations.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { type Call, startService } from '../../support/service.ts';

const service = await startService();
afterAll(() => service.stop());

const [, field] = parse(PIZZA).fields;
/** The field as apps receive it. */
const served = {
  ...field,
  addButtonText: '',
  subFieldB: {},
  subFieldA: { ...field.subFieldA, options: '', optionsArray: [] },
};
let clients = 0;
async function configOf(item: Readonly<Record<string, unknown>>) {
  const clientId = `client-${clients++}`;
  await service.putConfig({ clientId, appIds: ['demo-app-key'], lastFieldId: 9, ...item });
  const { status, body } = await service.getConfig({ body: { clientId } });
  expect(status).toBe(200);
  return body;
}

test('each client has its own configuration, in the shape of the spec', async () => {
  const path = '/customData/getConfig';
  const { example } = DOCUMENT.paths[path].post.responses[200].content['application/json'];
  expect((await service.getConfig()).body).toEqual(example);
  const headers = { 'App-Id': 'acme-app-key' };
  const { body } = await service.getConfig({ headers, body: { clientId: 'acme' } });
  expect(body.data.fields).toMatchObject([{ fieldName: 'Loyalty card number' }]);
});

test('a field that would break an app is left out, and the rest is served', async () => {
  const { subFieldA: _, ...without } = field;
  const damaged = [
    null,
    'a string',
    new Uint8Array([1]),
    without,
    { ...field, id: 7 },
    { ...field, mandatory: 'true' },
    { ...field, fieldType: 'date' },
    { ...field, subFieldA: { ...field.subFieldA, maxChars: 2.5 } },
  ];
  const good = damaged.map((_, index) => ({ ...field, id: `good ${index}` }));
  const mixed = damaged.flatMap((one, index) => [one, good[index]]);
  // The id of the last one is not its own.
  const { data, warnings } = await configOf({ fields: [...mixed, good[0]] });
  expect(data.fields).toEqual(good.map(({ id }) => ({ ...served, id })));
  expect(data.lastFieldId).toBe(9);
  expect(warnings).toEqual([expect.stringContaining(`${damaged.length + 1} `)]);
});

describe('the cache', () => {
  test("applies an operator's edit and a withdrawn App-Id after the cache time", async () => {
    await using uncached = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
    const body = { clientId: 'edited' };
    const namesOf = async () => {
      const { status, body: envelope } = await uncached.getConfig({ body });
      const names = envelope.data.fields?.map(({ fieldName }: typeof field) => fieldName);
      return [status, ...(names ?? [])];
    };
    expect(await namesOf()).toEqual([401]);
    for (const fieldName of ['Nickname', 'Called']) {
      const fields = [{ ...field, fieldName }];
      await uncached.putConfig({ ...body, appIds: new Set(['demo-app-key', 'old']), fields });
      expect(await namesOf()).toEqual([200, fieldName]);
    }
    await uncached.putConfig({ ...body, appIds: new Set(['old']), fields: [field] });
    expect(await namesOf()).toEqual([401]);
    await uncached.putConfig({ ...body, appIds: new Set(['demo-app-key']), fields: [field] });
    expect(await namesOf()).toEqual([200, field.fieldName]);
  });

  test('serves the last good copy while DynamoDB fails, and only those who have access learn that it is old', async () => {
    await using faulty = await startFaultyService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
    const before = await Promise.all(OPERATIONS.map((operation) => faulty.send(operation)));
    expect(before.flatMap(({ body }) => body.warnings)).toEqual([]);
    faulty.toDynamoDb.faultOf = ({ operation }) =>
      operation === 'GetItem' ? 'internal error' : undefined;
    const answered = async (operation: Operation, options?: Call) => {
      const { status, body } = await faulty.send(operation, options);
      return [status, body.warnings.length];
    };
    for (const operation of OPERATIONS) {
      expect(await answered(operation)).toEqual([200, 1]);
      expect(await answered(operation, { headers: { 'App-Id': 'wrong' } })).toEqual([401, 0]);
      const neverRead = { ...operation.example.request, clientId: 'acme' };
      expect(await answered(operation, { body: neverRead })).toEqual([503, 0]);
    }
    expect((await faulty.getConfig()).body.data).toEqual(before[0]?.body.data);
    expect(await answered(applyPromoCode, { token: { user: 'another' } })).toEqual([403, 1]);
    faulty.toDynamoDb.faultOf = () => undefined;
    expect((await faulty.getConfig()).body.warnings).toEqual([]);
  });
});

test('warnings say which values were removed from a request, also among concurrent ones of a client', async () => {
  const names = Array.from({ length: 20 }, (_, index) => (index % 3 ? [`name-${index}`] : []));
  const answers = await Promise.all(
    [...names, ['clientID', 'toString']].map((more) => {
      const body = Object.fromEntries(more.map((name) => [name, 'demo']));
      return service.getConfig({ body: { ...body, clientId: 'demo' } });
    }),
  );
  expect(answers.map(({ body }) => body.warnings)).toEqual([
    ...names.map((name) => name.map((one) => expect.stringMatching(`^1 .*: ${one}\\.$`))),
    [expect.stringMatching(/^2 .*: clientID, toString\.$/)],
  ]);
});

test('apps get their language, with the same shape; without Accept-Language, nothing changes', async () => {
  const translations = { de: { fieldName: 'Mitgliedsnummer' }, 'fr-CA': {} };
  const items = { plain: {}, languages: { language: 'en', translated: { translations } } };
  for (const [clientId, { translated, ...item }] of Object.entries<Record<string, unknown>>(
    items,
  )) {
    const fields = [{ ...field, ...(translated as object) }];
    await service.putConfig({
      clientId,
      appIds: ['demo-app-key'],
      lastFieldId: 9,
      ...item,
      fields,
    });
  }
  const get = async (clientId: string, sent?: string | string[]) => {
    const headers = sent === undefined ? {} : { 'Accept-Language': sent };
    const answer = await service.getConfig({ headers, body: { clientId } });
    const { date: _, 'x-amzn-requestid': __, 'config-version': ___, ...others } = answer.headers;
    return { ...answer, headers: others };
  };
  const plain = await get('plain');
  expect(await get('languages')).toEqual(plain);
  expect(await get('plain', 'de')).toEqual(plain);
  const german = await get('languages', ['nl', 'de-AT;q=0.5']);
  expect(german.headers['content-language']).toBe('de');
  const own = plain.body.data.fields[0];
  expect(german.body.data.fields).toEqual([{ ...own, fieldName: 'Mitgliedsnummer' }]);
  for (const other of ['nl', 'en-GB', '*']) {
    const answer = await get('languages', other);
    expect(answer.headers['content-language']).toBe('en');
    expect(answer.body).toEqual(plain.body);
  }
  const { status, body } = await get('languages', 'de_DE');
  expect({ status, data: body.data }).toEqual({ status: 200, data: plain.body.data });
  expect(body.warnings).toHaveLength(1);
  const mixed = await get('languages', ['de_DE', 'de;q=0.7000000000000001']);
  expect(mixed.body.data).toEqual(german.body.data);
  expect(mixed.body.warnings).toEqual([expect.stringContaining('de_DE')]);
});
