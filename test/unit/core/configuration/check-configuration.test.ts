import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkConfiguration } from '../../../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';

/* What the check says about each mistake is in test/unit/cli/config/check.test.ts. */

const text = {
  subType: 'text',
  allowCopies: true,
  alpha: true,
  numbers: true,
  symbols: true,
  maxChars: 20,
};
const combo = {
  id: '1',
  fieldType: 'combo',
  mandatory: false,
  fieldName: 'A caption',
  subFieldA: text,
  subFieldB: { ...text, maxChars: 10 },
};
const of = (...fields: unknown[]) => checkConfiguration({ fields, lastFieldId: 1 });

test('a combo whose parts ask for the same thing', () => {
  expect(of(combo)).toEqual([]);
  expect(of({ ...combo, subFieldB: { ...text } })).toEqual([
    {
      severity: 'warning',
      code: 'duplicateInput',
      path: ['fields', 0, 'subFieldB'],
      message: 'asks for the same as subFieldA',
    },
  ]);
});

test.each([
  [300, []],
  [
    301,
    [
      {
        severity: 'warning',
        code: 'tooLarge',
        path: [],
        message: 'has 301 KB; DynamoDB accepts 400 KB',
      },
    ],
  ],
])('an item of %i KB', (kilobytes, expected) => {
  const rest = JSON.stringify({ fields: [{ ...combo, fieldName: '' }], lastFieldId: 1 }).length;
  const fieldName = 'é'.repeat((kilobytes * 1024 - rest) / 2);
  expect(of({ ...combo, fieldName })).toEqual(expected);
});

test('every misspelled attribute is found, at any depth', () => {
  const dropdown = {
    subType: 'drop',
    allowCopies: true,
    optionsArray: [{ value: 'a', display: 'A', valeu: 'b' }],
    optionArray: [],
  };
  const findings = of({
    ...combo,
    fildName: 'x',
    subFieldA: dropdown,
    subFieldB: { ...text, alhpa: 1 },
  });
  expect(findings.map(({ path, message }) => [path.join('.'), message.split('; ')[1]])).toEqual([
    ['fields.0.fildName', 'fieldName is'],
    ['fields.0.subFieldA.optionArray', 'optionsArray is'],
    ['fields.0.subFieldA.optionsArray.0.valeu', 'value is'],
    ['fields.0.subFieldB.alhpa', 'alpha is'],
  ]);
});

test('what is missing or empty is not repeated', () => {
  const { id: _, ...nameless } = { ...combo, fieldName: '' };
  const messages = of(nameless, nameless).map(({ path, message }) => [path.at(-1), message]);
  expect(messages).toEqual([
    ['id', 'is missing; it is a string: Identifies the field.'],
    ['id', 'is missing; it is a string: Identifies the field.'],
  ]);
  const empty = { ...combo, fieldName: '' };
  expect(of({ ...empty, id: '0' }, empty).map(({ message }) => message)).toEqual([
    'is empty, so the customer sees no caption',
    'is empty, so the customer sees no caption',
  ]);
});

test('a lastFieldId that is far too low is below the highest id, too', () => {
  const findings = checkConfiguration({ fields: [combo], lastFieldId: -3_000_000_000 });
  expect(findings.map(({ path, message }) => [path.join('.'), message])).toEqual([
    [
      'lastFieldId',
      'apps built for 0.1.0 cannot decode this; they decode integers from -2147483648 to 2147483647',
    ],
    ['lastFieldId', 'is below 1, the highest id of a field: the next field could get an id twice'],
  ]);
});

test('a lastFieldId that JavaScript cannot hold exactly is not an integer', () => {
  const findings = checkConfiguration({ fields: [], lastFieldId: 2 ** 53 });
  expect(findings).toMatchObject([{ severity: 'error', path: ['lastFieldId'] }]);
});

test.each([undefined, null, 'Car', 7])('fields that are %j have no field to check', (fields) => {
  const findings = checkConfiguration({ fields, lastFieldId: 1 });
  expect(findings).toHaveLength(1);
  expect(findings[0]?.path).toEqual(['fields']);
});

test('the texts of a list, and those of an option, have no unknown attributes', () => {
  const subFieldA = { ...text, subType: 'drop', optionsArray: 'none' };
  const paths = of({ ...combo, subFieldA }).map(({ path }) => path.slice(3).join('.'));
  expect(paths).not.toContain('optionsArray.0');
  expect(checkConfiguration({ fields: 'none', lastFieldId: 1 })).toHaveLength(1);
});

const name = fc.constantFrom(...Object.keys(combo), ...Object.keys(text), 'optionsArray', 'other');
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('text', 'drop', 'combo', '', 'a:b', true, false, null, 0, 7, 1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 6 }),
  ),
})).value;
/** A field with at most one attribute changed, or anything. */
const field = fc.oneof(
  fc.record({ id: fc.constantFrom('1', '2') }).map((id) => ({ ...combo, ...id })),
  fc.tuple(name, anything).map(([changed, value]) => ({ ...combo, [changed]: value })),
  fc
    .tuple(name, anything)
    .map(([changed, value]) => ({ ...combo, subFieldA: { ...text, [changed]: value } })),
  anything,
);

test('the check has an error for each field that the service leaves out, and none if it serves all', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 4 }), (fields) => {
      const leftOut = (of: unknown[]) => readConfiguration({ fields: of, lastFieldId: 1 }).leftOut;
      const findings = of(...fields);
      const errors = findings.filter(
        ({ severity, message }) =>
          severity === 'error' && !/^(is not an attribute|belongs in) /.test(message),
      );
      if (leftOut(fields) === 0) expect(errors).toEqual([]);
      for (const index of fields.keys()) {
        // Fields behind it make no difference to whether it is served.
        if (leftOut(fields.slice(0, index + 1)) === leftOut(fields.slice(0, index))) continue;
        expect(errors).toContainEqual(
          expect.objectContaining({ path: expect.arrayContaining(['fields', index]) }),
        );
      }
    }),
  );
});
