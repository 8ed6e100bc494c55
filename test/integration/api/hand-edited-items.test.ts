import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const text = {
  subType: 'text',
  placeHolderText: 'A hint',
  allowCopies: false,
  alpha: true,
  numbers: true,
  symbols: false,
  maxChars: 20,
};
const drop = {
  subType: 'drop',
  placeHolderText: '',
  allowCopies: true,
  optionsArray: [{ value: 'a', display: 'A' }],
};
const field = {
  id: 'damaged',
  fieldType: 'text',
  fieldName: 'A field',
  mandatory: false,
  appUIs: ['profile'],
  allowMultiple: false,
  subFieldA: text,
};
const good = { ...field, id: 'good' };

let clients = 0;
async function getConfigOf(item: Record<string, unknown>) {
  const clientId = `client-${clients++}`;
  await service.putConfig({ clientId, appIds: ['demo-app-key'], lastFieldId: 9, ...item });
  const { logged } = service.watchLog();
  const answer = await service.getConfig({ body: { clientId } });
  return { logged, ...answer };
}

const without = (name: string, map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).filter(([key]) => key !== name));

describe('a field that would break an app is left out, and the rest is served', () => {
  test.each<[damage: string, damaged: unknown, said: string]>([
    ['unknown fieldType', { ...field, fieldType: 'date' }, 'fieldType'],
    ['no fieldType', without('fieldType', field), 'fieldType'],
    ['no subFieldA', without('subFieldA', field), 'subFieldA'],
    ['subFieldA that is a string', { ...field, subFieldA: 'text' }, 'subFieldA'],
    ['unknown subType', { ...field, subFieldA: { ...text, subType: 'date' } }, 'subFieldA.subType'],
    ['no maxChars', { ...field, subFieldA: without('maxChars', text) }, 'subFieldA.maxChars'],
    ['maxChars 0', { ...field, subFieldA: { ...text, maxChars: 0 } }, 'subFieldA.maxChars'],
    ['maxChars -1', { ...field, subFieldA: { ...text, maxChars: -1 } }, 'subFieldA.maxChars'],
    ['maxChars 2.5', { ...field, subFieldA: { ...text, maxChars: 2.5 } }, 'subFieldA.maxChars'],
    ['maxChars "20"', { ...field, subFieldA: { ...text, maxChars: '20' } }, 'subFieldA.maxChars'],
    [
      'a text input that permits no character',
      { ...field, subFieldA: { ...text, alpha: false, numbers: false } },
      'permits no character',
    ],
    [
      'a dropdown without options',
      { ...field, fieldType: 'drop', subFieldA: { ...drop, optionsArray: [] } },
      'at least one option',
    ],
    [
      'a dropdown without optionsArray',
      { ...field, fieldType: 'drop', subFieldA: without('optionsArray', drop) },
      'subFieldA.optionsArray',
    ],
    [
      'an option whose value is a number',
      {
        ...field,
        fieldType: 'drop',
        subFieldA: { ...drop, optionsArray: [{ value: 1, display: 'x' }] },
      },
      'subFieldA.optionsArray[0].value: must be a string',
    ],
    [
      'an option that is a string',
      { ...field, fieldType: 'drop', subFieldA: { ...drop, optionsArray: ['A'] } },
      'subFieldA.optionsArray[0]: must be a map',
    ],
    [
      'an option that cannot be written as a string',
      {
        ...field,
        fieldType: 'drop',
        subFieldA: { ...drop, optionsArray: [{ value: 'a', display: { toString: 'x' } }] },
      },
      'subFieldA.optionsArray[0].display: must be a string',
    ],
    ['a dropdown in a text field', { ...field, subFieldA: drop }, 'subFieldA.subType'],
    ['a combo without subFieldB', { ...field, fieldType: 'combo' }, 'subFieldB'],
    [
      'a combo with an empty subFieldB',
      { ...field, fieldType: 'combo', subFieldB: {} },
      'subFieldB',
    ],
    ['a subFieldB that is a list', { ...field, subFieldB: [text] }, 'subFieldB'],
    ['a subFieldB that is an empty list', { ...field, subFieldB: [] }, 'subFieldB'],
    ['a subFieldB that is a string', { ...field, subFieldB: '' }, 'subFieldB'],
    ['a repeated id', { ...good, fieldName: 'Another' }, 'is already the id of fields[0]'],
    ['an id that is a number', { ...field, id: 7 }, 'id'],
    ['an empty id', { ...field, id: '' }, 'id'],
    ['no fieldName', without('fieldName', field), 'fieldName'],
    ['mandatory "true"', { ...field, mandatory: 'true' }, 'mandatory'],
    ['no mandatory', without('mandatory', field), 'mandatory'],
    ['appUIs that is a string', { ...field, appUIs: 'profile' }, 'appUIs'],
    ['appUIs with a number', { ...field, appUIs: ['profile', 7] }, 'appUIs[1]'],
    ['allowMultiple 1', { ...field, allowMultiple: 1 }, 'allowMultiple'],
    ['addButtonText false', { ...field, addButtonText: false }, 'addButtonText'],
    ['alpha "yes"', { ...field, subFieldA: { ...text, alpha: 'yes' } }, 'subFieldA.alpha'],
    [
      'options that is a list',
      { ...field, subFieldA: { ...text, options: [] } },
      'subFieldA.options',
    ],
    ['a field that is a string', 'field', 'fields[1]'],
    ['a field that is null', null, 'fields[1]'],
    ['a field that is a list', [field], 'fields[1]'],
    ['a field that is binary', new Uint8Array([1]), 'fields[1]'],
  ])('%s', async (_, damaged, said) => {
    const { status, body, logged } = await getConfigOf({
      fields: [good, damaged, { ...good, id: '3' }],
    });
    expect(status).toBe(200);
    expect(body.data.fields.map(({ id }: { id: string }) => id)).toEqual(['good', '3']);
    expect(body.warnings).toEqual([
      '1 field was left out because its stored configuration is not valid.',
    ]);
    await logged(said, '"FieldsLeftOut":1');
  });

  test.each([0, 1, 2])('the field at index %i of three', async (index) => {
    const three = ['a', 'b', 'c'].map((id) => ({ ...field, id }));
    const fields = three.with(index, { ...field, fieldType: 'date', id: 'd' });
    const { body } = await getConfigOf({ fields });
    const ids = body.data.fields.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['a', 'b', 'c'].toSpliced(index, 1));
  });

  test.each(['12345678901234567890123456789012345678', '12345678901234567890.5', '1e100'])(
    '%s, which JavaScript cannot represent, removes only its own field',
    async (N) => {
      const clientId = `number-${N}`;
      await service.dynamodb.send(
        new PutItemCommand({
          TableName: service.outputs.ConfigsTableName,
          Item: {
            clientId: { S: clientId },
            appIds: { SS: ['demo-app-key'] },
            lastFieldId: { N },
            fields: { L: [{ M: { id: { N } } }] },
          },
        }),
      );
      const { status, body } = await service.getConfig({ body: { clientId } });
      expect(status).toBe(200);
      expect(body.data).toEqual({ fields: [], lastFieldId: 1 });
    },
  );
});

describe('an edit that an app can handle is served in the shape of the spec', () => {
  test.each<[edit: string, edited: Record<string, unknown>, served: Record<string, unknown>]>([
    ['an unknown attribute', { ...field, colour: 'red' }, {}],
    ['no addButtonText', { ...field, addButtonText: null }, { addButtonText: '' }],
    [
      'appUIs as a string set',
      { ...field, appUIs: new Set(['register']) },
      { appUIs: ['register'] },
    ],
    ['leftovers in subFieldB', { ...field, subFieldB: drop }, { subFieldB: {} }],
    [
      'options of a text input',
      { ...field, subFieldA: { ...text, options: ' ', optionsArray: [{ value: 'a' }] } },
      {},
    ],
    [
      'a dropdown whose flags, maxChars and options contradict its optionsArray',
      {
        ...field,
        fieldType: 'drop',
        subFieldA: { ...drop, alpha: true, maxChars: 3, options: 'B:b' },
      },
      {
        fieldType: 'drop',
        subFieldA: { ...drop, alpha: false, numbers: false, symbols: false, options: 'A:a' },
      },
    ],
    [
      'no placeHolderText',
      { ...field, subFieldA: without('placeHolderText', text) },
      {
        subFieldA: { ...text, placeHolderText: '', options: '', optionsArray: [] },
      },
    ],
  ])('%s', async (_, edited, served) => {
    const { body } = await getConfigOf({ fields: [edited] });
    expect(body.warnings).toEqual([]);
    expect(body.data.fields).toEqual([
      {
        ...field,
        addButtonText: '',
        subFieldA: { ...text, options: '', optionsArray: [] },
        subFieldB: {},
        ...served,
      },
    ]);
  });
});

describe('the item around the fields', () => {
  test.each<[damage: string, item: Record<string, unknown>, lastFieldId: number]>([
    ['an empty list of fields', { fields: [] }, 9],
    ['lastFieldId that is a string', { fields: [], lastFieldId: '9' }, 0],
    ['lastFieldId that is not an integer', { fields: [], lastFieldId: 1.5 }, 0],
  ])('%s: nothing was left out', async (_, item, lastFieldId) => {
    const { status, body } = await getConfigOf(item);
    expect(status).toBe(200);
    expect(body.data).toEqual({ fields: [], lastFieldId });
    expect(body.warnings).toEqual([]);
  });

  test.each<[damage: string, fields: unknown]>([
    ['a string', '[]'],
    ['a map', { 0: field }],
    ['null', null],
  ])('fields that is %s: all of them were left out', async (_, fields) => {
    const { status, body, logged } = await getConfigOf({ fields });
    expect(status).toBe(200);
    expect(body.data).toEqual({ fields: [], lastFieldId: 9 });
    expect(body.warnings).toEqual(['All fields were left out because they are not a list.']);
    await logged('fields: must be a list of fields', '"FieldsLeftOut":1');
  });

  test.each([{}, { feilds: [field] }])(
    'without the attribute fields, the app is warned, and the operator is told: %j',
    async (item) => {
      const { body, logged } = await getConfigOf(item);
      expect(body.data).toEqual({ fields: [], lastFieldId: 9 });
      expect(body.warnings).toEqual([
        'All fields were left out because the client has none stored.',
      ]);
      await logged('fields: is missing', '"FieldsLeftOut":1');
    },
  );

  test('userPoolClientId without an s admits nobody, whichever operation is called', async () => {
    const userPoolClientId = [service.outputs.UserPoolClientId];
    const { status, logged } = await getConfigOf({ fields: [], userPoolClientId });
    expect(status).toBe(401);
    await logged('"misspelled":"userPoolClientId"', '"ClientLockedOut":1');
    const clientId = `client-${clients - 1}`;
    const applied = await service.applyPromoCode({ body: { ...PROMO_REQUEST, clientId } });
    expect(applied.status).toBe(401);
  });

  test('a missing lastFieldId is derived: the highest numeric id of all stored fields', async () => {
    const ids = ['12', '3', 'x', '0x20', '1e3', ' '];
    const fields = [...ids.map((id) => ({ ...field, id })), { id: '40' }];
    const { body, logged } = await getConfigOf({ fields, lastFieldId: null });
    expect(body.data.lastFieldId).toBe(40);
    await logged('Configuration to correct', 'lastFieldId: ');
  });

  test('several omitted fields produce one warning', async () => {
    const { body } = await getConfigOf({ fields: [null, null, good] });
    expect(body.warnings).toEqual([
      '2 fields were left out because their stored configuration is not valid.',
    ]);
  });
});
