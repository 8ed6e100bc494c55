import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undecodableInteger } from '../../../../core/configuration/apps-in-the-field.ts';
import { checkConfiguration } from '../../../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { storedFields, wireFields } from '../../../support/configurations.ts';
import { releasedDocuments } from '../../../support/released-apps.ts';

const releases = await releasedDocuments();

/** What apps in the field cannot decode of a configuration, as the check says it. */
function reported(item: Readonly<Record<string, unknown>>): string[] {
  return checkConfiguration(item)
    .filter(({ message }) => message.includes('cannot decode'))
    .map(({ path }) => path.join('.'));
}

test('apps of every release decode what the service serves, unless the check says that they cannot', () => {
  expect(releases.map(({ version }) => version)).toContain('0.1.0');
  const item = fc.record({
    fields: fc.oneof(wireFields, storedFields),
    lastFieldId: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.anything()),
  });
  fc.assert(
    fc.property(item, (stored) => {
      const { configuration } = readConfiguration(stored);
      const isDecoded = releases.every(({ decodes }) => decodes('Configuration', configuration));
      expect(isDecoded || reported(stored).length > 0).toBe(true);
    }),
  );
});

const text = {
  ...{ id: '1', fieldType: 'text', fieldName: 'Card number', mandatory: true },
  ...{ appUIs: ['register'], allowMultiple: false },
};
const rules = { subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: false };
const LARGEST = 2 ** 31 - 1;

test.each([
  [LARGEST, 20, []],
  [LARGEST + 1, 20, ['lastFieldId']],
  [-LARGEST - 1, 20, []],
  [-LARGEST - 2, 20, ['lastFieldId']],
  [3, LARGEST, []],
  [3, LARGEST + 1, ['fields.0.subFieldA.maxChars']],
])('a lastFieldId of %d with %d characters', (lastFieldId, maxChars, expected) => {
  const fields = [{ ...text, subFieldA: { ...rules, maxChars } }];
  const item = { clientId: 'pizza', fields, lastFieldId };
  expect(reported(item)).toEqual(expected);
  const { configuration } = readConfiguration(item);
  const isDecoded = releases.every(({ decodes }) => decodes('Configuration', configuration));
  expect(isDecoded).toBe(expected.length === 0);
});

test('a field that the service leaves out breaks no app', () => {
  const subFieldA = { ...rules, maxChars: LARGEST + 1 };
  const fields = [{ ...text, mandatory: 'yes', subFieldA }];
  expect(reported({ fields, lastFieldId: 1 })).toEqual([]);
});

test.each([
  [LARGEST + 1, 'up to 2147483647'],
  [-LARGEST - 2, 'from -2147483648 to 2147483647'],
])('of %d, the message says which integers apps decode', (value, range) => {
  expect(undecodableInteger(value)).toBe(
    `apps built for 0.1.0 cannot decode this; they decode integers ${range}`,
  );
});
