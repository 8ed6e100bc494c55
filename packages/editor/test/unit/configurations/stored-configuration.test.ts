import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { StoredConfiguration } from 'customer-data-api/clients';
import { completeField, readField, withoutDerived } from 'customer-data-api/configuration';
import { writtenConfiguration, writtenFields } from 'customer-data-api/history';
import { wireField, wireFields } from 'customer-data-api/testing/configurations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseConfigurationFile,
  writeConfiguration,
} from '../../../configurations/configuration-file.ts';
import { compareLive, differentLines } from '../../../configurations/diff-configurations.ts';
import { fileOf, storedOf, withFields } from '../../../configurations/stored-configuration.ts';

/*
 * What operators write is what is stored, without what the service derives; and publishing it
 * stores the same again.
 */

const input = { subType: 'text', placeHolderText: 'e.g. 12', alpha: true, maxChars: 8 };
const options = [{ value: 'm', display: 'M' }];
const dropdown = { subType: 'drop', placeHolderText: '1', optionsArray: options };
const COMMON = { id: '1', fieldName: 'A caption', addButtonText: 'More' };

test.each([
  ['text', input, undefined],
  ['drop', dropdown, undefined],
  ['combo', dropdown, input],
])('of a %s, operators write only what they decide', (fieldType, subFieldA, subFieldB) => {
  const written = { ...COMMON, fieldType, subFieldA, ...(subFieldB && { subFieldB }) };
  const complete = Object(completeField(written));
  expect(withoutDerived(complete)).toEqual(written);
  // Apps do not get what differs from what is derived. Somebody wrote it, and should know.
  const changed = { ...complete, subFieldA: { ...complete.subFieldA, options: 'Out of date:m' } };
  expect(withoutDerived(changed)).toMatchObject({ subFieldA: { options: 'Out of date:m' } });
  expect(withoutDerived({ ...written, addButtonText: '' })).not.toHaveProperty('addButtonText');
});

test('what is wrong stays, so that it is reported', () => {
  const subFieldA = { ...input, options: 7, placeholderText: '' };
  const wrong = { ...COMMON, fieldType: 'text', colour: 'red', subFieldA, subFieldB: 'none' };
  expect(withoutDerived(wrong)).toEqual(wrong);
  expect(withoutDerived({ id: '1', subFieldA: null })).toEqual({ id: '1', subFieldA: null });
});

test('a length of a dropdown is none if it is null, and stays if somebody wrote it', () => {
  const written = { ...COMMON, fieldType: 'drop', subFieldA: dropdown };
  const withLength = (maxChars: unknown) => ({ ...written, subFieldA: { ...dropdown, maxChars } });
  expect(withoutDerived(withLength(null))).toEqual(written);
  expect(withoutDerived(withLength(5))).toEqual(withLength(5));
});

test('without what it derives, a field is the same to the service, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(wireField, fc.anything()), (stored) => {
      expect(readField(withoutDerived(stored))).toEqual(readField(stored));
    }),
  );
});

const field = {
  M: {
    id: { S: '1' },
    fieldType: { S: 'text' },
    weight: { N: '12345678901234567890.123456789' },
    size: { N: '7' },
    appUIs: { SS: ['register', 'profile'] },
    subFieldA: { M: { options: { S: '' } } },
    note: { L: [{ SS: ['b', 'a'] }] },
  },
} satisfies AttributeValue;
const [unchanged] = writtenConfiguration({ fields: { L: [field] } }).fields as object[];

test('sets are lists, at any depth, numbers keep their digits, and what is wrong is shown as it is', () => {
  expect(JSON.parse(JSON.stringify(unchanged))).toEqual({
    id: '1',
    fieldType: 'text',
    weight: { value: field.M.weight.N },
    size: 7,
    appUIs: ['profile', 'register'],
    subFieldA: {},
    note: [['a', 'b']],
  });
  const nulls = { id: '1', fieldName: null, subFieldA: { maxChars: null, optionsArray: [null] } };
  for (const content of [
    {},
    { fields: 'none', lastFieldId: '3' },
    { fields: null, lastFieldId: null },
    { fields: [nulls, null] },
  ]) {
    expect(writtenConfiguration(marshall(content))).toEqual(content);
  }
});

test('only a field that did change is stored as the operator wrote it', () => {
  const odd = { M: { id: { S: '2' }, options: { S: 'odd' } } };
  const current = new StoredConfiguration({
    fields: { L: [{ S: 'none' }, { M: {} }, odd, field] },
  });
  const changed = { ...unchanged, fieldName: 'A caption' };
  const fields = [unchanged, { id: '2' }, { id: '3' }, changed];
  const { L = [] } = withFields(current, fields, 3).content.fields;
  expect(L.slice(0, 3)).toEqual([field, { M: { id: { S: '2' } } }, { M: { id: { S: '3' } } }]);
  expect(L[3]?.M).toMatchObject({
    weight: field.M.weight,
    fieldName: { S: 'A caption' },
    subFieldA: { M: {} },
    appUIs: { L: [{ S: 'profile' }, { S: 'register' }] },
  });
});

test('a field that another one has the id of stays as it is stored', () => {
  const twin = { M: { id: { S: '1' }, note: { SS: ['b', 'a'] } } };
  const current = new StoredConfiguration({ fields: { L: [field, twin] } });
  const fields = [...writtenFields(current.content), { id: '2' }];
  expect(withFields(current, fields, 2).content.fields.L?.slice(0, 2)).toEqual([field, twin]);
});

test('a number is the same in a file as it is stored, and can be stored again', () => {
  const Digits = fc
    .tuple(fc.boolean(), fc.nat({ max: 24 }), fc.bigInt({ min: 0n, max: 10n ** 20n }))
    .map(([isNegative, decimals, number]) => {
      const digits = String(number).padStart(decimals + 1, '0');
      const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(-decimals)];
      const end = decimals === 0 ? '' : rest.replace(/0+$/, '');
      const text = end === '' ? whole : `${whole}.${end}`;
      return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
    });
  fc.assert(
    fc.property(Digits, (N) => {
      const stored = new StoredConfiguration({
        fields: { L: [{ M: { id: { S: '1' }, weight: { N } } }] },
        lastFieldId: { N: '1' },
      });
      const { file } = parseConfigurationFile(writeConfiguration(fileOf('pizza', stored)));
      expect(file?.content).toEqual(fileOf('pizza', stored));
      const changed = writtenFields(stored.content).map((one) => ({ ...Object(one), note: 'New' }));
      const { L: [first] = [] } = withFields(stored, changed, 1).content.fields;
      expect(Number(first?.M?.weight?.N)).toBe(Number(N));
      const [digits, again] = [N, first?.M?.weight?.N ?? ''].map(significant);
      expect(again).toBe(digits);
    }),
    { numRuns: 300 },
  );
});

/** Returns the digits that count in a number. DynamoDB removes zeros, and has no exponents. */
function significant(number: string): string {
  return number
    .replace(/e.*/i, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '');
}

test('a number that DynamoDB does not have cannot be stored', () => {
  const fields = [{ id: '1', weight: Number.POSITIVE_INFINITY }];
  expect(() => withFields(new StoredConfiguration({}), fields, 1)).toThrow(
    expect.objectContaining({ code: 'unstorableValue' }),
  );
});

test('a file with what the service derives differs in nothing, and changes nothing', () => {
  fc.assert(
    fc.property(wireFields, fc.boolean(), (wire, isStoredWhole) => {
      const [lean, whole] = JSON.parse(JSON.stringify([wire.map(withoutDerived), wire]));
      const [live, fields] = isStoredWhole ? [whole, lean] : [lean, whole];
      const stored = new StoredConfiguration(marshall({ fields: live, lastFieldId: 3 }));
      expect(withFields(stored, fields, 3).digest).toBe(stored.digest);
      const file = { name: 'file', content: { ...fileOf('pizza', stored), fields } };
      const lines = differentLines({ ...file, content: fileOf('pizza', stored) }, file);
      const effects = compareLive({ live: stored }, { live: storedOf(file.content) });
      expect([lines, effects]).toEqual([[], []]);
    }),
  );
});

test('to pull and to publish without a change leaves any content as it is', () => {
  const attribute = fc.constantFrom('addButtonText', 'mandatory', 'fieldName', 'subFieldB', 'note');
  const withNull = fc
    .tuple(wireField, attribute, attribute)
    .map(([{ subFieldA, ...whole }, name, below]) => ({
      ...whole,
      [name]: null,
      subFieldA: { ...subFieldA, [below]: null },
    }));
  const withNulls = fc.uniqueArray(withNull, { selector: ({ id }) => id, maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(wireFields, withNulls), (fields) => {
      const stored = new StoredConfiguration(marshall({ fields, lastFieldId: 3 }));
      expect(withFields(stored, writtenFields(stored.content), 3).digest).toBe(stored.digest);
    }),
  );
});
