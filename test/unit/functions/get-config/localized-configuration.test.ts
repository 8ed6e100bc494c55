import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemBytes } from '../../../../core/aws/item-size.ts';
import type { Field } from '../../../../core/configuration/field.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { languagesOf } from '../../../../core/configuration/translations.ts';
import { readLocalized } from '../../../../functions/get-config/localized-configuration.ts';
import { readAcceptLanguage } from '../../../../functions/http/accept-language.ts';
import { wireFields } from '../../../support/configurations.ts';

/** What YAML reads as a number or a boolean, what objects inherit, and one value twice. */
const VALUES = [
  '1',
  '01',
  '1e3',
  '0x10',
  'true',
  'NO',
  'null',
  '__proto__',
  'constructor',
  '',
  '1',
];

const text = fc.oneof(
  fc.string(),
  fc.constantFrom<unknown[]>('', ' ', 7, true, null, undefined, ['x'], { S: 'x' }),
);
const mapOf = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.constantFrom(...names)).chain((some) =>
    fc.tuple(...some.map(() => value)).map((values) => {
      const map = Object.create(null);
      for (const [index, name] of some.entries()) map[name] = values[index];
      return map;
    }),
  );
const input = fc.oneof(
  text,
  fc.record(
    { placeHolderText: text, options: fc.oneof(text, mapOf(VALUES, text)) },
    { requiredKeys: [] },
  ),
);
const translation = fc.oneof(
  text,
  fc.record(
    { fieldName: text, addButtonText: text, subFieldA: input, subFieldB: input },
    { requiredKeys: [] },
  ),
);
const TAGS = ['de', 'DE-at', 'de-AT', 'de_CH', 'fr', 'zh-Hant', 'iw', 'en', 'x', '*', 'deutsch'];
const tag = fc.constantFrom(...TAGS, 'en-US', 'zh-hant-tw', 'he-IL', 'de-CH-1996', 'nl');
const header = fc.oneof(
  fc.string(),
  fc
    .array(fc.tuple(tag, fc.constantFrom('', ';q=0', ';q=0.5', ' ; q=1.000', ';q=2')))
    .map((ranges) => ranges.map((range) => range.join('')).join(', ')),
);

const item = fc
  .record({
    fields: wireFields,
    language: fc.oneof(text, tag),
    translations: fc.infiniteStream(fc.oneof(text, mapOf(TAGS, translation))),
    values: fc.infiniteStream(fc.constantFrom(...VALUES)),
  })
  .map(({ fields, language, translations, values }) => {
    const withValues = (sub: Record<string, unknown>) => ({
      ...sub,
      ...(sub.subType === 'drop' && {
        optionsArray: (sub.optionsArray as object[]).map((option) => ({
          ...option,
          value: values.next().value,
        })),
      }),
    });
    const plain = fields.map((field) => ({
      ...field,
      subFieldA: withValues(field.subFieldA as Record<string, unknown>),
      subFieldB: withValues(field.subFieldB as Record<string, unknown>),
    }));
    return {
      plain: { fields: plain, lastFieldId: 1 },
      translated: {
        fields: plain.map((one) => ({ ...one, translations: translations.next().value })),
        lastFieldId: 1,
        language,
      },
    };
  });

const isInput = (sub: Field['subFieldB']): sub is Field['subFieldA'] => 'subType' in sub;

/** A field without its texts, and its texts. */
function split(field: Field) {
  const texts: string[] = [field.fieldName, field.addButtonText];
  const { fieldName: _, addButtonText: __, ...rest } = field;
  const inputs = [field.subFieldA, field.subFieldB].map((sub) => {
    if (!isInput(sub)) return sub;
    const { placeHolderText, options, optionsArray, ...rules } = sub;
    texts.push(placeHolderText, ...optionsArray.map(({ display }) => display));
    expect(options).toBe(
      optionsArray.map(({ display, value }) => `${display}:${value}`).join('\n'),
    );
    return { ...rules, values: optionsArray.map(({ value }) => value) };
  });
  return { rest: { ...rest, subFieldA: inputs[0], subFieldB: inputs[1] }, texts };
}

/** All strings in a value, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(stringsIn) : [];
}

test('a tag that fills an item is none, and takes no time', () => {
  for (const tag of [`en-u${'-abc'.repeat(90_000)}`, `en-x${'-a'.repeat(9000)}`]) {
    const { in: localized } = readLocalized({ language: tag, fields: [] }, () => {});
    expect(localized({ ranges: ['en'], refused: [] }).language).toBeUndefined();
  }
});

test('with any header, only texts differ from those without one, and each is stored', () => {
  fc.assert(
    fc.property(item, fc.array(header, { maxLength: 3 }), ({ plain, translated }, headers) => {
      let bytes = 0;
      const localized = readLocalized(translated, (more) => {
        bytes += more;
      });
      const json = JSON.stringify(readConfiguration(plain).configuration);
      expect(JSON.stringify(localized.configuration)).toBe(json);
      const accepted = readAcceptLanguage(headers);
      if (!accepted) return;
      const { configuration, language } = localized.in(accepted);
      expect(localized.in(accepted).configuration).toBe(configuration);
      const isOwn = configuration === localized.configuration;
      expect(bytes).toBe(isOwn ? 0 : Buffer.byteLength(JSON.stringify(configuration)));
      if (isOwn) expect(language).toBe(localized.language);
      expect(configuration.lastFieldId).toBe(1);
      expect(Object.keys(configuration)).toEqual(Object.keys(localized.configuration));
      const [own, other] = [localized.configuration, configuration].map(({ fields }) =>
        fields.map(split),
      );
      expect(other?.map(({ rest }) => rest)).toEqual(own?.map(({ rest }) => rest));
      for (const [index, { texts }] of (other ?? []).entries()) {
        const stored = stringsIn(translated.fields[index]?.translations);
        for (const [at, one] of texts.entries()) {
          expect([own?.[index]?.texts[at], ...stored]).toContain(one);
        }
      }
    }),
  );
});

/**
 * The most bytes of a response per byte of its item: `options` repeats the texts of `optionsArray`,
 * and JSON may need six bytes for a character.
 */
const MOST_GROWTH = 12;

test('no response in any language is longer than a fixed multiple of its item', () => {
  const long = fc.tuple(fc.string(), fc.nat(2000)).map(([one, count]) => `${one}x`.repeat(count));
  const value = fc.constantFrom(...VALUES);
  const options = fc.dictionary(value, long);
  const translated = fc.record({ placeHolderText: long, options });
  const field = fc.record({
    value,
    count: fc.integer({ min: 1, max: 300 }),
    other: fc.option(value),
    translations: fc.dictionary(
      fc.constantFrom(...TAGS),
      fc.record({ fieldName: long, subFieldA: translated, subFieldB: translated }),
    ),
  });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), (all) => {
      const fields = all.map(({ value, count, other, translations }, index) => {
        const optionsArray = Array.from({ length: count }, (_, at) => ({
          value: (at % 2 && other) || value,
          display: 'D',
        }));
        const subFieldA = { subType: 'drop', allowCopies: false, optionsArray };
        const shared = { mandatory: false, fieldName: '', translations };
        return { id: `${index}`, fieldType: 'combo', ...shared, subFieldA, subFieldB: subFieldA };
      });
      const stored = { fields, lastFieldId: 1 };
      const bytes = itemBytes(stored);
      const localized = readLocalized(stored, () => {});
      expect(localized.configuration.fields).toHaveLength(fields.length);
      for (const tag of languagesOf(stored)) {
        const { configuration } = localized.in({ ranges: [tag.toLowerCase()], refused: [] });
        const response = Buffer.byteLength(JSON.stringify(configuration));
        expect(response / bytes).toBeLessThan(MOST_GROWTH);
      }
    }),
    { numRuns: 30 },
  );
});

const dropdown = {
  id: '1',
  fieldType: 'drop',
  mandatory: false,
  appUIs: [],
  allowMultiple: false,
  fieldName: 'Size',
  subFieldA: {
    subType: 'drop',
    allowCopies: false,
    optionsArray: VALUES.map((value) => ({ value, display: 'own' })),
  },
};
const withTranslations = (translations: object) =>
  readLocalized(
    { fields: [{ ...dropdown, translations }], lastFieldId: 1, language: 'en' },
    () => undefined,
  );

test('a text of an option belongs to the first option with its value, whatever that looks like', () => {
  for (const value of VALUES) {
    const options = Object.create(null);
    options[value] = 'eigene';
    const { configuration } = withTranslations({ de: { subFieldA: { options } } }).in({
      ranges: ['de'],
      refused: [],
    });
    const changed = VALUES.map((_, at) => (at === VALUES.indexOf(value) ? 'eigene' : 'own'));
    const texts = configuration.fields[0]?.subFieldA.optionsArray.map(({ display }) => display);
    expect(texts).toEqual(changed);
  }
});

const translations = {
  de: { fieldName: 'Größe' },
  'FR-ca': { fieldName: 'Taille' },
  he: {},
  'zh-Hant': {},
};
const localized = withTranslations(translations);

test.each<[string, ...values: (string | undefined)[]]>([
  ['en', undefined],
  ['en', ''],
  ['en', '*'],
  ['en', 'nl, *;q=0'],
  ['en', 'en-US, de;q=0.9'],
  ['en', 'fr'],
  ['en', 'de;q=0, de-AT'],
  ['de', 'de-AT-1996-x-a-b, fr-CA;q=0.9'],
  ['de', 'en;q=0.1,, DE;Q=0.25 ,'],
  ['de', 'nl', 'de'],
  ['fr-CA', 'fr-CA-x-y'],
  ['he', 'iw-IL'],
  ['zh-Hant', 'zh-hant-tw'],
  ['en', 'zh-TW'],
  ['en', `${'nl,'.repeat(20)}de`],
])('the response is in %s for %s', (language, ...values) => {
  const accepted = readAcceptLanguage(values.filter((value) => value !== undefined));
  expect(accepted && localized.in(accepted).language).toBe(language);
});

test.each(['de_DE', 'de;q=2', 'de;q=0.5.1', 'de;level=1', 'de fr', 'Deutsch!', 'sprachlich'])(
  'the header %s is malformed',
  (value) => expect(readAcceptLanguage(['en', value])).toBeUndefined(),
);
