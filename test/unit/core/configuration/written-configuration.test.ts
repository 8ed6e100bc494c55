import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import {
  storedFields,
  writtenConfiguration,
} from '../../../../core/configuration/written-configuration.ts';
import { CommandError } from '../../../../core/platform/command-error.ts';
import { wireField, wireFields } from '../../../support/configurations.ts';

const field: AttributeValue = {
  M: {
    id: { S: '1' },
    fieldType: { S: 'text' },
    appUIs: { SS: ['register', 'profile'] },
    weight: { N: '12345678901234567890.123456789' },
    size: { N: '7' },
    subFieldA: { M: { subType: { S: 'text' }, options: { S: '' } } },
  },
};
const stored = { fields: { L: [field] }, lastFieldId: { N: '3' } };

const attribute = fc.constantFrom('addButtonText', 'mandatory', 'fieldName', 'subFieldB', 'note');
const fieldsWithNulls = fc.uniqueArray(
  fc.tuple(wireField, attribute, attribute).map(([whole, name, nameBelow]) => ({
    ...whole,
    [name]: null,
    subFieldA: { ...whole.subFieldA, [nameBelow]: null },
  })),
  { selector: ({ id }) => id, maxLength: 3 },
);

test('sets are lists, what the service derives is gone, and numbers keep their digits', () => {
  const { lastFieldId, fields } = writtenConfiguration(stored);
  expect(lastFieldId).toBe(3);
  const [{ weight, ...rest } = { weight: undefined }] = fields as { weight: unknown }[];
  expect(rest).toEqual({
    id: '1',
    fieldType: 'text',
    appUIs: ['profile', 'register'],
    size: 7,
    subFieldA: { subType: 'text' },
  });
  expect(String(weight)).toBe('12345678901234567890.123456789');
});

test('a set in a list is a list, too', () => {
  const nested = { L: [{ M: { note: { L: [{ SS: ['b', 'a'] }] } } }] };
  expect(writtenConfiguration({ fields: nested })).toEqual({ fields: [{ note: [['a', 'b']] }] });
});

test('what is missing or has another type is shown as it is', () => {
  expect(writtenConfiguration({})).toEqual({});
  expect(writtenConfiguration({ fields: { S: 'none' }, lastFieldId: { S: '3' } })).toEqual({
    fields: 'none',
    lastFieldId: '3',
  });
});

test('a field that did not change stays exactly as it is stored', () => {
  const { fields } = writtenConfiguration(stored);
  expect(storedFields(fields as unknown[], stored)).toEqual({ L: [field] });
});

test('only a field that did change is written as the operator wrote it', () => {
  const [unchanged] = writtenConfiguration(stored).fields as object[];
  const other = { M: { id: { S: '2' }, options: { S: 'odd' } } };
  const both = { fields: { L: [field, other] }, lastFieldId: { N: '3' } };
  const changed = { ...unchanged, fieldName: 'A caption' };
  expect(storedFields([changed, { id: '2' }, { id: '3' }], both)).toEqual({
    L: [
      {
        M: {
          ...field.M,
          fieldName: { S: 'A caption' },
          appUIs: { L: [{ S: 'profile' }, { S: 'register' }] },
          subFieldA: { M: { subType: { S: 'text' } } },
        },
      },
      { M: { id: { S: '2' } } },
      { M: { id: { S: '3' } } },
    ],
  });
});

test('a number that DynamoDB does not have cannot be stored', () => {
  const store = () => storedFields([{ id: '1', weight: Number.POSITIVE_INFINITY }], {});
  expect(store).toThrow(CommandError);
  expect(store).toThrow(/^A value cannot be stored\. .*Infinity/);
});

test('a stored field is found beside entries that are not a map or have no id', () => {
  const current = { fields: { L: [{ S: 'none' }, { M: {} }, field] } };
  const [, , unchanged] = writtenConfiguration(current).fields as object[];
  expect(storedFields([unchanged], current)).toEqual({ L: [field] });
});

test('a null is shown as it is, wherever it is', () => {
  const withNulls = {
    id: '1',
    fieldName: null,
    subFieldA: { maxChars: null, optionsArray: [null] },
  };
  expect(writtenConfiguration(marshall({ fields: [withNulls, null], lastFieldId: null }))).toEqual({
    fields: [withNulls, null],
    lastFieldId: null,
  });
  expect(writtenConfiguration(marshall({ fields: null }))).toEqual({ fields: null });
});

test('to pull and to publish without a change leaves any content as it is', () => {
  fc.assert(
    fc.property(fc.oneof(wireFields, fieldsWithNulls), (fields) => {
      const content = { fields: marshall({ fields }).fields as AttributeValue };
      const written = writtenConfiguration(content).fields as unknown[];
      const again = { fields: storedFields(written, content) };
      expect(contentDigest(again)).toBe(contentDigest(content));
    }),
  );
});
