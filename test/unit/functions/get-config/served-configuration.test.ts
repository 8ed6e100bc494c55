import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Field } from '../../../../core/configuration/field.ts';
import { itemBytes } from '../../../../core/configuration/item-size.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { languagesOf } from '../../../../core/configuration/translations.ts';
import { readLocalized } from '../../../../functions/get-config/served-configuration.ts';
import { readAcceptLanguage } from '../../../../functions/http/accept-language.ts';
import { wireFields } from '../../../support/configurations.ts';
import { runs } from '../../../support/runs.ts';

/** Values that YAML reads as a number or a boolean, that objects inherit, and one twice. */
const VALUES = ['1', '1e3', 'true', 'null', '__proto__', '', '1'];

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
const TAGS = ['zh-TW', 'no', 'de', 'de-AT', 'de_CH', 'fr', 'en', '*', 'deutsch'];
const tag = fc.constantFrom(...TAGS, 'zh-MO', 'es-MX', 'zh-hant-tw', 'de-CH-1996');
const header = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.tuple(
        tag,
        fc.constantFrom('', ';q=0', ';q=0.5', ' ; q=1.000', ';q=2', ';q=0.30000000000000004'),
      ),
    )
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
    { numRuns: runs(30) },
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

/** The language of the response, for an own language and those of translations. */
function languageFor(own: string | undefined, others: readonly string[], ...values: string[]) {
  const translations = Object.fromEntries(others.map((tag) => [tag, { fieldName: tag }]));
  const item = { fields: [{ ...dropdown, translations }], lastFieldId: 1, language: own };
  return readLocalized(item, () => undefined).in(readAcceptLanguage(values)).language;
}

test.each<[string, ...values: string[]]>([
  ['en'],
  ['en', '*'],
  ['en', 'nl, *;q=0'],
  ['en', 'en-US, de;q=0.9'],
  ['en', 'fr'],
  ['en', 'de;q=0, de-AT'],
  ['de', 'de-AT-1996-x-a-b, fr-CA;q=0.9'],
  ['de', 'en;q=0.25,, DE;Q=0.5 ,'],
  ['de', 'fr-CA;q=0.7000000000000001, de;q=0.8'],
  ['fr-CA', 'fr-CA-x-y'],
  ['he', 'iw-IL'],
  ['zh-Hant', 'zh-hant-tw'],
  ['en', `${'nl,'.repeat(20)}de`],
  // A malformed member counts for nothing.
  ['de', 'de_DE, de;q=0.9'],
  ['de', 'de fr', 'Deutsch!', 'de;level=1', 'de;q=0.5'],
  ['de', 'fr-CA;q=2, fr-CA;q=-0.1, fr-CA;q=x, fr-CA;q=0.5.1, fr-CA;q=, de;q=0.1'],
  ['de', `${'x_y,'.repeat(100)}de`],
  ['en', `de,${'x'.repeat(1000)}`],
])('with de, fr-CA, he and zh-Hant, the response is in %s for %s', (language, ...values) => {
  expect(languageFor('en', ['de', 'FR-ca', 'he', 'zh-Hant'], ...values)).toBe(language);
});

test.each<[language: string, own: string, others: string, header: string]>([
  // Readers of the own language get it, also in another region.
  ['en-US', 'en-US', 'de', 'en-AU,en;q=0.9,de;q=0.8'],
  ['pt-BR', 'pt-BR', 'en', 'pt-AO,en'],
  ['en-GB', 'en-US', 'en-GB de', 'en-GB,de'],
  ['de', 'en-US', 'de', 'en-US;q=0,en-AU,de'],
  ['en-US', 'en-US', 'de', 'en-US,en;q=0,de'],
  // That `pt` finds no translation `pt-BR` was decided.
  ['en', 'en', 'pt-BR de', 'pt'],
  // Serbian in Cyrillic is not for readers of the Latin script.
  ['de', 'sr-RS', 'de', 'sr-ME,de'],
  ['sr-ME', 'sr-ME', 'de', 'sr-Latn-RS,de'],
  // Tags of one meaning, both ways.
  ['zh-Hant', 'en', 'zh zh-Hant', 'zh-TW'],
  ['zh-Hans', 'en', 'zh-Hans', 'zh'],
  ['zh-HK', 'en', 'zh-Hant zh-HK', 'zh-MO'],
  ['zh-HK', 'zh-HK', 'zh', 'zh-TW'],
  ['zh', 'en', 'zh', 'zh-TW'],
  ['en', 'zh-CN', 'en', 'zh-TW,en'],
  ['sr-Latn', 'en', 'sr sr-Latn', 'sr-ME'],
  ['no', 'en', 'no de', 'nn-NO'],
  ['nb-NO', 'en', 'nb-NO de', 'no-NO'],
  ['nb', 'en', 'no nb', 'nb-NO'],
  ['es-419', 'en', 'es es-419', 'es-MX'],
  ['pt-PT', 'en', 'pt pt-PT', 'pt-MZ'],
  ['en-001', 'de', 'en en-001', 'en-DE'],
])('the response is in %s with %s and %s, for %s', (language, own, others, header) => {
  expect(languageFor(own, others.split(' '), header)).toBe(language);
});

const realTag = fc
  .tuple(
    fc.constantFrom('de', 'en', 'es', 'fr', 'nb', 'nn', 'no', 'pt', 'sr', 'zh'),
    fc.constantFrom('', '-Latn', '-Cyrl', '-Hans', '-Hant'),
    fc.constantFrom('', '-AT', '-AU', '-BR', '-MO', '-MX', '-NO', '-TW', '-419'),
  )
  .map((parts) => parts.join(''));
const realTags = fc.uniqueArray(realTag, { minLength: 1, maxLength: 6 });

test('a language that is asked for first is served, and of others one that was not refused', () => {
  fc.assert(
    fc.property(realTag, realTags, realTags, realTags, (own, others, ranges, refused) => {
      const header = [...ranges, ...refused.map((tag) => `${tag};q=0`)].join();
      const language = languageFor(own, others, header) ?? '';
      const served = [own, ...others];
      expect(served).toContain(language);
      const [first = ''] = ranges;
      if (served.includes(first) && !refused.includes(first)) expect(language).toBe(first);
      // The own language is also the last resort.
      if (language !== own) expect(refused).not.toContain(language);
    }),
  );
});

test('a script that is likely can be left out or written, and a malformed member is as absent', () => {
  fc.assert(
    fc.property(realTag, realTags, realTags, fc.string(), (own, others, ranges, noise) => {
      const language = languageFor(own, others, ranges.join());
      const written = ranges.map((range) => {
        const { language: code, script, region } = new Intl.Locale(range).maximize();
        return new Intl.Locale(range).region ? `${code}-${script}-${region}` : `${code}-${script}`;
      });
      const same = new Set([own, ...others].map((tag) => `${new Intl.Locale(tag).maximize()}`));
      // The one of two equal tags that is written is served.
      fc.pre(same.size === others.length + 1 && !others.includes(own));
      expect(languageFor(own, others, written.join())).toBe(language);
      const member = `${noise.replaceAll(',', '')}!`;
      expect(languageFor(own, others, [member, ...ranges, member].join())).toBe(language);
    }),
  );
});

test.each([
  ['de_DE', 'de_DE'],
  ['de, Größe ;q=1, x_y', 'Gr??e ;q=1 (and 1 more)'],
  [`en, ${'x'.repeat(900)}`, `${'x'.repeat(35)}...`],
])('of the header %s, the warning names the malformed member', (value, named) => {
  expect(readAcceptLanguage([value]).warning).toMatch(/^[ -~]{1,150}$/);
  expect(readAcceptLanguage([value]).warning).toContain(`: ${named}.`);
});

test.each(['', '*', 'de', 'de;q=0.12345', 'x-private, i-klingon', 'de-Deutsch, ,'])(
  'the header %s is well formed',
  (value) => expect(readAcceptLanguage([value]).warning).toBeUndefined(),
);
