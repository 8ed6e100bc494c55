import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { DOCUMENT } from '../../../openapi/validation.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const text = {
  ...{ subType: 'text', placeHolderText: 'A hint', allowCopies: false },
  ...{ alpha: true, numbers: true, symbols: false, maxChars: 20 },
};
const field = {
  ...{ id: '1', fieldType: 'text', fieldName: 'A field', mandatory: false, subFieldA: text },
  ...{ appUIs: ['profile'], allowMultiple: false },
};
/** The field as apps receive it. */
const served = {
  ...{ ...field, addButtonText: '', subFieldB: {} },
  subFieldA: { ...text, options: '', optionsArray: [] },
};
const drop = (optionsArray: unknown) => ({
  ...{ ...field, fieldType: 'drop' },
  subFieldA: { subType: 'drop', placeHolderText: '', allowCopies: true, optionsArray },
});

let clients = 0;
async function configOf(item: Readonly<Record<string, unknown>>) {
  const clientId = `client-${clients++}`;
  await service.putConfig({ clientId, appIds: ['demo-app-key'], lastFieldId: 9, ...item });
  const { status, body } = await service.getConfig({ body: { clientId } });
  expect(status).toBe(200);
  return body;
}

test('each client has its own configuration, in the shape of the spec', async () => {
  const path = '/customerData/getConfig';
  const { example } = DOCUMENT.paths[path].post.responses[200].content['application/json'];
  expect((await service.getConfig()).body).toEqual(example);
  const headers = { 'App-Id': 'acme-app-key' };
  const { body } = await service.getConfig({ headers, body: { clientId: 'acme' } });
  expect(body.data.fields).toMatchObject([{ fieldName: 'Loyalty card number' }]);
});

describe('what operators edit by hand', () => {
  /** Values that no app can decode, by their ids where they have one. */
  const DAMAGED = {
    'no fieldType': { ...field, fieldType: undefined },
    'another fieldType': { ...field, fieldType: 'date' },
    'no fieldName': { ...field, fieldName: undefined },
    'mandatory that is text': { ...field, mandatory: 'true' },
    'appUIs that are text': { ...field, appUIs: 'profile' },
    'allowMultiple that is a number': { ...field, allowMultiple: 1 },
    'addButtonText that is a boolean': { ...field, addButtonText: false },
    'no subFieldA': { ...field, subFieldA: undefined },
    'subFieldA that is text': { ...field, subFieldA: 'text' },
    'maxChars 0': { ...field, subFieldA: { ...text, maxChars: 0 } },
    'maxChars 2.5': { ...field, subFieldA: { ...text, maxChars: 2.5 } },
    'no character': { ...field, subFieldA: { ...text, alpha: false, numbers: false } },
    'no options': drop([]),
    'an option that is text': drop(['A']),
    'an option whose value is a number': drop([{ value: 1, display: 'A' }]),
    'an option that is a trick': drop([{ value: 'a', display: { toString: 'x' } }]),
    'an empty subFieldB of a combo': { ...field, fieldType: 'combo', subFieldB: {} },
    'subFieldB that is a list': { ...field, subFieldB: [text] },
  };
  const damaged = Object.entries(DAMAGED).map(([id, one]) => ({ ...one, id }));

  test('a field that would break an app is left out, and the rest is served', async () => {
    const others = [
      'a string',
      null,
      [field],
      new Uint8Array([1]),
      new Set(['x']),
      7,
      { ...field, id: 7 },
    ];
    const good = damaged.map((_, index) => ({ ...field, id: `good ${index}` }));
    const mixed = damaged.flatMap((one, index) => [one, good[index]]);
    const { data, warnings } = await configOf({ fields: [...mixed, ...others, good[0]] });
    expect(data.fields).toEqual(good.map(({ id }) => ({ ...served, id })));
    expect(data.lastFieldId).toBe(9);
    expect(warnings).toEqual([expect.stringContaining(`${damaged.length + others.length + 1} `)]);
  });

  test.each(['12345678901234567890123456789012345678', '12345678901234567890.5', '1e100'])(
    '%s, which JavaScript cannot represent, removes only its own field',
    async (N) => {
      const clientId = { S: `number-${N}` };
      const fields = { L: [{ M: { id: { N } } }] };
      const Item = { clientId, appIds: { SS: ['demo-app-key'] }, lastFieldId: { N }, fields };
      await service.dynamodb.send(
        new PutItemCommand({ TableName: service.outputs.ConfigsTableName, Item }),
      );
      const { body } = await service.getConfig({ body: { clientId: clientId.S } });
      expect(body.data).toEqual({ fields: [], lastFieldId: 1 });
    },
  );
});

describe('the cache', () => {
  const reads = ({ databaseCalls }: Service) =>
    databaseCalls.filter((call) => call === 'GetItem').length;

  test('serves many requests with one read', async () => {
    const body = { clientId: 'busy' };
    await service.putConfig({ ...body, appIds: ['demo-app-key'], fields: [field], lastFieldId: 1 });
    const before = reads(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => service.getConfig({ body })),
    );
    for (const answer of answers) expect(answer.body.data.fields).toEqual([served]);
    expect(reads(service) - before).toBe(1);
  });

  test("applies an operator's edit and a withdrawn App-Id after the cache time", async () => {
    await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
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
    expect(await namesOf()).toEqual([200, 'A field']);
  });

  test('serves the last good copy while DynamoDB fails, and only those who have access learn that it is old', async () => {
    await using faulty = await startFaultyService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
    const before = await Promise.all(OPERATIONS.map((operation) => faulty.send(operation)));
    expect(before.map(({ body }) => body.warnings)).toEqual([[], []]);
    const forbidden = () => faulty.applyPromoCode({ token: { user: 'another' } });
    faulty.toDynamoDb.faultOf = ({ operation }) =>
      operation === 'GetItem' ? 'internal error' : undefined;
    for (const [index, operation] of OPERATIONS.entries()) {
      const { status, body } = await faulty.send(operation);
      expect(status).toBe(200);
      expect(body.warnings).toHaveLength(1);
      if (index === 0) expect(body.data).toEqual(before[0]?.body.data);
      const wrongKey = await faulty.send(operation, { headers: { 'App-Id': 'wrong' } });
      expect([wrongKey.status, wrongKey.body.warnings]).toEqual([401, []]);
      const { example } = operation;
      const neverRead = await faulty.send(operation, {
        body: { ...example.request, clientId: 'acme' },
      });
      expect([neverRead.status, neverRead.body.warnings]).toEqual([503, []]);
    }
    const { status, body } = await forbidden();
    expect([status, body.warnings.length]).toEqual([403, 1]);
    faulty.toDynamoDb.faultOf = () => undefined;
    expect((await faulty.getConfig()).body.warnings).toEqual([]);
  });
});

describe('warnings', () => {
  test('say how many values were removed from a request, and which', async () => {
    const body = { clientId: 'demo', clientID: 'x', toString: null };
    const { warnings, data } = (await service.getConfig({ body })).body;
    expect(warnings).toEqual([expect.stringMatching(/^2 .*: clientID, toString\.$/)]);
    expect(data.fields.length).toBeGreaterThan(0);
  });

  test('are those of their own request, also among concurrent ones of a client', async () => {
    const names = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0 ? [] : [`name-${index}`],
    );
    const answers = await Promise.all(
      names.map(([name = 'clientId']) =>
        service.getConfig({ body: { clientId: 'demo', [name]: 'demo' } }),
      ),
    );
    expect(answers.map(({ body }) => body.warnings)).toEqual(
      names.map((name) => name.map((one) => expect.stringMatching(` ${one}.`))),
    );
    const applied = await service.applyPromoCode({ body: { ...PROMO_REQUEST, more: 1 } });
    expect(applied.body.warnings).toHaveLength(1);
    expect((await service.applyPromoCode()).body.warnings).toEqual([]);
  });
});
