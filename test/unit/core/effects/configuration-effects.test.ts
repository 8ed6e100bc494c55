import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { configurationEffects } from '../../../../core/effects/configuration-effects.ts';
import { effectText } from '../../../../core/effects/effect.ts';
import { PIZZA, wireFields } from '../../../support/configurations.ts';

/*
 * What operators are told about changes: test/fixtures/effects has the changes and the sentences.
 */

const FIXTURES = new URL('../../../fixtures/effects/', import.meta.url);

type Item = Record<string, unknown>;
type Case =
  | { set: string; to: unknown }
  | { what: string; language?: string; before?: unknown; after: unknown };

const sentencesOf = (...items: Parameters<typeof configurationEffects>) =>
  configurationEffects(...items).map((one) => effectText(one));

/** The item with another value of an attribute; null removes it. */
function changed(path: string, value: unknown): Item {
  const item = parse(PIZZA);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const map = names.reduce((part, name) => part[name], item);
  map[last] = value ?? undefined;
  return item;
}

/** Fields, some of which are those of the good file, with other attributes. */
function fieldsOf(list: unknown): unknown {
  const { fields } = parse(PIZZA);
  if (!Array.isArray(list)) return list;
  return list.map((field) => {
    const { of, ...more } = Object(field);
    return of === undefined ? field : { ...fields[of], ...more };
  });
}

test('each change is described', async () => {
  const cases: Case[] = parse(await readFile(new URL('cases.yaml', FIXTURES), 'utf8'));
  const blocks = cases.map((one) => {
    const [title, before, after] =
      'set' in one
        ? [`${one.set} = ${JSON.stringify(one.to)}`, parse(PIZZA), changed(one.set, one.to)]
        : [
            one.what,
            {
              language: one.language,
              fields: fieldsOf('before' in one ? one.before : parse(PIZZA).fields),
            },
            { language: one.language, fields: fieldsOf(one.after) },
          ];
    return [title, ...sentencesOf(before, after)].join('\n  ');
  });
  const golden = fileURLToPath(new URL('sentences.txt', FIXTURES));
  await expect(`${blocks.join('\n')}\n`).toMatchFileSnapshot(golden);
});

test('of fields with one id, the one that apps get is compared', () => {
  const [one, other] = parse(PIZZA).fields;
  const twin = { ...other, id: one.id };
  const broken = { ...one, mandatory: 'yes' };
  const renamed = (field: object) => ({ ...field, fieldName: 'Another' });
  const between = (before: object[], after: object[]) =>
    sentencesOf({ fields: before }, { fields: after });
  const sentence = between([one], [renamed(one)]);
  expect(between([one, twin], [renamed(one), twin])).toEqual(sentence);
  expect(between([one, twin], [one, renamed(twin)])).toEqual([]);
  expect(between([one, twin], [one])).toEqual([]);
  // Apps get the first of the others that has no error.
  expect(between([broken, twin], [broken, renamed(twin)])).toEqual(
    between([twin], [renamed(twin)]),
  );
  expect(between([broken, twin, one], [broken, twin])).toEqual([]);
});

test('no sentence is as long as what is stored can be', () => {
  const long = 'long '.repeat(10_000);
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`);
  const [drop, text] = parse(PIZZA).fields;
  const fieldsWith = (attributes: (id: string) => object, ids = names) => ({
    fields: ids.map((id) => ({ ...text, id, ...attributes(id) })),
  });
  const withOptions = (display: string) => ({
    fields: [
      { ...drop, subFieldA: { ...drop.subFieldA, optionsArray: [{ value: 'a', display }] } },
    ],
  });
  const translated = (fieldName: string) =>
    fieldsWith(() => ({ fieldName, translations: { de: { fieldName: 'Farbe' } } }));
  const changes: (readonly [before: Item, after: Item])[] = [
    ...[
      'fields.0.fieldName',
      'fields.0.fieldType',
      'fields.0.id',
      'fields.0.mandatory',
      'fields.0.addButtonText',
      'fields.0.subFieldA.placeHolderText',
      'fields.1.subFieldA.maxChars',
      'language',
      'lastFieldId',
    ].map((path) => [parse(PIZZA), changed(path, long)] as const),
    [fieldsWith(() => ({})), fieldsWith(() => ({}), names.toReversed())],
    [fieldsWith(() => ({})), { fields: [] }],
    [fieldsWith(() => ({ fieldName: long })), fieldsWith(() => ({ fieldName: `a ${long}` }))],
    [fieldsWith(() => ({})), fieldsWith(() => ({ appUIs: names }))],
    [fieldsWith(() => ({})), fieldsWith(() => ({ appUIs: long }))],
    [withOptions('A'), withOptions(long)],
    [{ fields: [] }, withOptions(long)],
    [translated('Colour'), translated('Tint')],
    [translated('Colour'), translated(long)],
  ];
  for (const [before, after] of changes) {
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const sentences = sentencesOf(one, other);
      expect(sentences).not.toEqual([]);
      for (const sentence of sentences) expect(sentence.length, sentence).toBeLessThan(2500);
    }
  }
});

test('each of several options with one value is compared', () => {
  const [drop] = parse(PIZZA).fields;
  const of = (...texts: string[]) => {
    const optionsArray = texts.map((display) => ({ value: 'a', display }));
    return { fields: [{ ...drop, subFieldA: { ...drop.subFieldA, optionsArray } }] };
  };
  for (const [before, after] of [
    [of('A', 'B'), of('C', 'B')],
    [of('A', 'B'), of('A', 'C')],
    [of('A', 'B'), of('A')],
    [of('A'), of('A', 'B')],
  ] as const) {
    expect(sentencesOf(before, after)).toHaveLength(1);
  }
});

test('each translation that stays while its original changes is named, in one effect per language', () => {
  const languages = ['de', 'sv'];
  const changes = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(wireFields, changes, changes, (list, isChanged, isTranslated) => {
      const fields = list.map((field, index) => ({
        ...field,
        translations: Object.fromEntries(
          languages
            .filter(() => isTranslated.next().value)
            .map((tag) => [tag, { fieldName: `${tag} ${index}` }]),
        ),
      }));
      const changed = fields.filter(() => isChanged.next().value);
      const after = fields.map((field) =>
        changed.includes(field) ? { ...field, fieldName: `${field.fieldName} or another` } : field,
      );
      const effects = configurationEffects({ fields }, { fields: after });
      const neutral = effects.filter(({ level }) => level === 'neutral');
      const named = languages.flatMap((tag) => {
        const texts = changed.flatMap(({ translations }) => translations[tag]?.fieldName ?? []);
        return texts.length > 0 ? [texts.map((text) => JSON.stringify(text))] : [];
      });
      expect(neutral).toHaveLength(named.length);
      for (const texts of named) {
        const naming = neutral.filter((effect) =>
          texts.every((one) => effectText(effect).includes(one)),
        );
        expect(naming).toHaveLength(1);
      }
    }),
  );
});

test('harm comes first, and each field that apps no longer get is named once', () => {
  fc.assert(
    fc.property(wireFields, wireFields, fc.nat(4), (before, after, broken) => {
      const fields = [...before, ...after].map((field, at) =>
        at % 5 === broken ? { ...field, mandatory: 'yes' } : field,
      );
      const effects = configurationEffects({ fields: before }, { fields });
      const levels = effects.map(({ level }) => level === 'harm');
      expect(levels).toEqual(levels.toSorted((one, other) => Number(other) - Number(one)));
      const hidden = effects.filter(({ code }) => code === 'fieldHidden');
      const ids = new Set(before.map(({ id }) => id));
      const { configuration } = readConfiguration({ fields });
      const served = new Set(configuration.fields.map(({ id }) => id));
      expect(hidden).toHaveLength([...ids].filter((id) => !served.has(id)).length);
    }),
  );
});
