import { expect, test } from 'vitest';
import {
  unknownAttributes,
  whatIsKnown,
} from '../../../../core/configuration/unknown-attributes.ts';

/* `publish` removes what looks like a misspelling of `fields` or `lastFieldId`. */

test.each([
  'fieldsOld',
  'fields_old',
  'fieldsV2',
  'oldFields',
  'files',
  'feeds',
  'lastFieldIdBefore',
])('%s is an attribute of its own', (name) => {
  expect(unknownAttributes({ [name]: 1 })).toEqual([{ path: [name], meant: undefined }]);
});

test.each([
  ['feilds', 'fields'],
  ['Fields', 'fields'],
  ['field', 'fields'],
  ['last_field_id', 'lastFieldId'],
])('%s is a misspelling of %s', (name, meant) => {
  expect(unknownAttributes({ [name]: 1 })).toEqual([{ path: [name], meant }]);
});

test('a short name is not taken for an attribute of another place with other letters', () => {
  expect(whatIsKnown(['fields', 0, 'note']).message).toMatch(
    /^is not an attribute that the service knows; a field can have id, /,
  );
});
