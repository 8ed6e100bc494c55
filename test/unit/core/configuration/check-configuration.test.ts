import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkConfiguration } from '../../../../core/configuration/check-configuration.ts';
import { itemBytes } from '../../../../core/configuration/item-size.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { getConfig } from '../../../../functions/get-config/operation.ts';
import { PIZZA, storedFields, wireFields } from '../../../support/configurations.ts';
import { releasedDocuments } from '../../../support/released-documents.ts';

/* The findings that no file shows: packages/editor/test/fixtures/check has the others. */

const combo = { ...parse(PIZZA).fields[2], id: '1' };
const input = combo.subFieldB;

const LIMIT = 400 * 1024;

test.each([
  [LIMIT - 3000, []],
  [LIMIT - 1000, [{ severity: 'warning', code: 'tooLargeToRestore', path: [] }]],
  [LIMIT, [{ severity: 'warning', code: 'tooLargeToRestore', path: [] }]],
  [LIMIT + 1, [{ severity: 'error', code: 'tooLarge', path: [] }]],
])('an item of %i bytes', (bytes, expected) => {
  const item = (fieldName: string, translated?: string) => ({
    fields: [{ ...combo, fieldName, translations: { de: { fieldName: translated } } }],
    lastFieldId: 1,
    language: 'en',
  });
  const missing = bytes - itemBytes(item('', 'Auto'));
  const text = 'é'.repeat(missing / 2) + 'e'.repeat(missing % 2);
  for (const one of [item(text, 'Auto'), item('', `Auto${text}`)]) {
    const findings = checkConfiguration(one).filter(({ code }) => code.startsWith('tooLarge'));
    expect(findings).toMatchObject(expected);
  }
});

const name = fc.constantFrom(...Object.keys(combo), ...Object.keys(input), 'optionsArray', 'other');
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('text', 'drop', 'combo', '', 'a:b', true, false, null, 0, 7, 1.5),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(name, tie('anything'), { maxKeys: 6 }),
  ),
}));
/** A field with at most one attribute changed, or anything. */
const field = fc.oneof(
  fc.constantFrom('1', '2').map((id) => ({ ...combo, id })),
  fc.tuple(name, anything).map(([changed, value]) => ({ ...combo, [changed]: value })),
  fc
    .tuple(name, anything)
    .map(([changed, value]) => ({ ...combo, subFieldA: { ...input, [changed]: value } })),
  anything,
);

test('of many wrong fields or options, a thousand are listed, and the others counted', () => {
  const many = <TValue>(value: TValue) => Array.from({ length: 1500 }, () => value);
  const options = { ...input, subType: 'drop', optionsArray: many({ valeu: 'a' }) };
  for (const fields of [many({ id: 1 }), [{ ...combo, subFieldB: options }]]) {
    const findings = checkConfiguration({ fields, lastFieldId: 1 });
    expect(findings.length).toBeLessThan(12_000);
    const others = findings.filter(({ message }) => message.endsWith('fix the listed ones first'));
    expect(others[0]?.message).toContain('500 more');
  }
});

test('there is an error for each field that apps do not get, and none if they get all', () => {
  const aboutNames = ['unknownAttribute', 'misspelledAttribute', 'misplacedAttribute'];
  fc.assert(
    fc.property(fc.array(field, { maxLength: 4 }), (fields) => {
      const leftOut = (of: unknown[]) => readConfiguration({ fields: of, lastFieldId: 1 }).leftOut;
      const errors = checkConfiguration({ fields, lastFieldId: 1 }).filter(
        ({ severity, code }) => severity === 'error' && !aboutNames.includes(code),
      );
      // Fields behind a field make no difference to whether it is served.
      const expected = [...fields.keys()].filter(
        (index) => leftOut(fields.slice(0, index + 1)) > leftOut(fields.slice(0, index)),
      );
      expect(errors.map(({ path }) => path[1])).toEqual(expect.arrayContaining(expected));
      if (expected.length === 0) expect(errors).toEqual([]);
    }),
  );
});

test('apps of every release decode what they get, unless a finding says that they cannot', async () => {
  const releases = await releasedDocuments();
  expect(releases.map(({ version }) => version)).toContain('0.1.0');
  const item = fc.record({
    fields: fc.oneof(wireFields, storedFields),
    lastFieldId: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.anything()),
  });
  fc.assert(
    fc.property(item, (stored) => {
      const { configuration } = readConfiguration(stored);
      const isDecoded = releases.every(({ decodes }) => decodes(getConfig.path, configuration));
      const isReported = checkConfiguration(stored).some(({ code }) => code === 'undecodable');
      expect(isDecoded || isReported).toBe(true);
    }),
  );
});
