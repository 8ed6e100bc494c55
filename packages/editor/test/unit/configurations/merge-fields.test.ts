import { isDeepStrictEqual } from 'node:util';
import { isEqual, languageTag, withoutDerived } from 'customer-data-api/configuration';
import { wireField } from 'customer-data-api/testing/configurations';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  conflictId,
  type Decide,
  type Decisions,
  decideBy,
  type MergedContent,
  mergeContents,
  mergeFields,
} from '../../../configurations/merge-fields.ts';
import type { Ambiguity } from '../../../errors.ts';
import { conflictName } from '../../../words.ts';

interface Field {
  readonly id?: unknown;
  readonly fieldName?: unknown;
}

/**
 * Fields from a text such as `1 2=Car New!`: ids, some with another name, and names of new fields,
 * some of them mandatory.
 */
const fieldsOf = (text: string): Field[] =>
  text.split(' ').flatMap((one): Field[] => {
    const [id = '', fieldName = `Field ${id}`] = one.split('=');
    if (one === '') return [];
    if (/^\d/.test(one)) return [{ id, fieldName }];
    return [{ fieldName: one.replace('!', ''), ...(one.endsWith('!') && { mandatory: true }) }];
  });

const base = fieldsOf('1 2 3');

test.each([
  ['two changes', '1=A 2 3', '1 2 3=B', '1=A 2 3=B'],
  ['a removal and a change', '2 3', '1 2 3=B', '2 3=B'],
  ['two removals', '2 3', '1 2', '2'],
  ['two additions, after what they follow', '1 Mine 2 3', '1 2 4 3', '1 Mine 2 4 3'],
  ['additions at both ends', 'Mine 1 2 3', '1 2 3 4', 'Mine 1 2 3 4'],
  ['an addition after a field that is gone', '1 2 Mine 3', '1 3', '1 Mine 3'],
  ['another order of mine', '3 1 2', '1 2=B 3', '3 1 2=B'],
  ['another order of theirs', '1=A 2 3', '3 2 1', '3 2 1=A'],
  ['the same other order', '3 2 1', '3 2 1', '3 2 1'],
  ['an addition of both', '1 2 3 New Mine', '4=New 1 2 3=B', '4=New Mine 1 2 3=B'],
  ['one that one side gave twice', '1 2 3 New New', '1 2 3 4=New', '1 2 3 4=New New'],
  ['an addition with the name of an earlier field', '1=New 2 3 New', '1 2=B 3', '1=New 2=B 3 New'],
])('%s are merged: %s and %s', (_, mine, theirs, merged) => {
  expect(mergeFields(base, fieldsOf(mine), fieldsOf(theirs))).toEqual({ fields: fieldsOf(merged) });
});

test('additions are the same one if they have the same content', () => {
  const [mine, theirs] = [{ mandatory: true }, { id: '4', mandatory: false }];
  expect(mergeFields(base, [...base, mine], [...base, theirs])).toEqual({
    fields: [...base, mine, theirs],
  });
  // What the service derives makes no difference.
  const same = { fieldName: 'New', addButtonText: '' };
  const added = [...base, ...fieldsOf('4=New')];
  expect(mergeFields(base, [...base, same], added)).toEqual({ fields: added });
});

test('what both sides changed alike is as it is live, in the order of its attributes', () => {
  const theirs = [{ id: '4', fieldName: 'New', mandatory: true }];
  const { fields } = mergeFields([], [{ mandatory: true, fieldName: 'New' }], theirs);
  expect(JSON.stringify(fields)).toBe(JSON.stringify(theirs));
});

describe('what both sides changed differently is a conflict, which is named', () => {
  test.each<[string, mine: unknown[], theirs: unknown[], conflicts: string[]]>([
    ['a field', fieldsOf('1=A 2 3'), fieldsOf('1=B 2 3'), ['Field 1']],
    ['a field that one side removed', fieldsOf('2 3'), fieldsOf('1=B 2 3'), ['Field 1']],
    ['fields that the other removed', fieldsOf('1=A 2=A 3'), fieldsOf('3'), ['Field 1', 'Field 2']],
    ['an id that both gave', fieldsOf('1 2 3 4=A'), fieldsOf('1 2 3 4=B'), ['B']],
    ['a name that both gave', fieldsOf('1 2 3 New!'), fieldsOf('1 2 3 4=New'), ['New']],
    ['the order', fieldsOf('3 1 2'), fieldsOf('2 1 3'), ['the order of the fields']],
  ])('%s', (_, mine, theirs, conflicts) => {
    const found = mergeFields(base, mine, theirs).conflicts?.map(conflictName);
    expect(found).toEqual(conflicts);
  });

  test.each<[string, side: Ambiguity['side'], fields: unknown[], id?: string]>([
    ['no id on their side', 'theirs', [...base, { fieldName: '' }]],
    ['an id that two fields have', 'mine', [...base, ...base], '1'],
    ['such an id before', 'base', fieldsOf('1 2 2'), '2'],
    ['an id that is not a string', 'mine', [...base, { id: 4 }]],
    ['what is not a map', 'theirs', [...base, 'text']],
  ])('%s is an error before that', (_, side, fields, id) => {
    const of = (one: string) => ({ fields: one === side ? fields : base });
    expect(mergeContents(of('base'), of('mine'), of('theirs'))).toEqual({
      conflicts: [],
      ambiguity: { side, id },
    });
  });

  test('with the attributes that both changed', () => {
    const side = (maxChars: number, alpha: boolean) => [
      { id: '7', fieldName: '', subFieldA: { maxChars, alpha } },
    ];
    const { conflicts } = mergeFields(side(8, true), side(14, false), side(16, false));
    expect(conflicts?.map(conflictName)).toEqual(['the field with id 7']);
    expect(conflicts).toMatchObject([
      {
        attributes: [{ attribute: 'subFieldA.maxChars', mine: 14, theirs: 16 }],
      },
    ]);
  });
});

test('of all decisions about an attribute, the most specific counts', () => {
  const side = (name: string, order: string) => ({
    fields: [...order].map((id) => ({ id, fieldName: `${name} ${id}`, mandatory: name })),
    language: name,
  });
  const [was, mine, theirs] = [side('was', '123'), side('mine', '321'), side('theirs', '213')];
  const merged = (decisions: Decisions) =>
    mergeContents(was, mine, theirs, decideBy(decisions)).merged;
  expect(
    merged({ mine: ['1', '2.fieldName', 'order'], theirs: ['1.mandatory', '2', '3', 'language'] }),
  ).toEqual({
    fields: [
      { id: '3', fieldName: 'theirs 3', mandatory: 'theirs' },
      { id: '2', fieldName: 'mine 2', mandatory: 'theirs' },
      { id: '1', fieldName: 'mine 1', mandatory: 'theirs' },
    ],
    language: 'theirs',
  });
  const { conflicts } = mergeContents(was, mine, theirs, () => undefined);
  const ids = conflicts.flatMap(({ key = '', attributes }) =>
    attributes.map(({ attribute }) => conflictId(key, attribute)),
  );
  expect(merged({ mine: ids })).toEqual(mine);
  expect(merged({ theirs: ids })).toEqual(theirs);
  // Without one of them, there is no merge.
  for (const id of ids) expect(merged({ mine: ids.filter((one) => one !== id) })).toBeUndefined();
});

test.each<[string, ...languages: (string | undefined)[]]>([
  ['theirs', 'en', 'en', 'fr', 'fr'],
  ['theirs, which is new', undefined, undefined, 'fr', 'fr'],
  ['theirs, which is removed', 'en', 'en', undefined, undefined],
  ['mine', 'en', 'de', 'en', 'de'],
  ['mine, which is removed', 'en', undefined, 'en', undefined],
  ['that of both', 'en', 'de', 'de', 'de'],
  ['as it is live, if only the form of the tag differs', 'en', 'en-gb', 'en-GB', 'en-GB'],
  ['theirs, if mine is another form of the same tag', 'en-gb', 'en-GB', 'de', 'de'],
])('the language is that of the side that changed it: %s', (_, was, mine, theirs, language) => {
  const [one, two, three] = [was, mine, theirs].map((tag) => ({ fields: base, language: tag }));
  const nothing: Decide = () => undefined;
  for (const decide of [undefined, nothing]) {
    const { merged } = mergeContents(one ?? { fields: [] }, Object(two), Object(three), decide);
    expect(merged).toEqual({ fields: base, language });
  }
});

describe('translations are merged by field, language and text', () => {
  const side = (translations: unknown) => [{ id: '1', fieldName: 'Color', translations }];
  const de = { fieldName: 'Farbe', subFieldA: { options: { 1: 'Rot' } } };
  const merge = (mine: unknown, theirs: unknown) =>
    mergeFields(side({ de }), side(mine), side(theirs), () => undefined);

  test('two languages, or two texts of one, are both kept', () => {
    const fr = { fieldName: 'Couleur' };
    expect(merge({ de, fr }, { de: { ...de, fieldName: 'Ton' } })).toEqual({
      fields: side({ de: { ...de, fieldName: 'Ton' }, fr }),
    });
    const red = { ...de, subFieldA: { options: { 1: 'Tomatenrot' } } };
    expect(merge({ de: red }, { de: { ...de, addButtonText: 'Noch eine' } })).toEqual({
      fields: side({ de: { ...red, addButtonText: 'Noch eine' } }),
    });
  });

  test('the removal of the first language keeps one that was added later', () => {
    expect(merge(undefined, { de, fr: { fieldName: 'Couleur' } })).toEqual({
      fields: side({ fr: { fieldName: 'Couleur' } }),
    });
  });

  test('a language is the same one in each form of its tag', () => {
    const [was, mine] = [{ 'de-de': de }, { 'de-DE': { ...de, fieldName: 'Ton' } }];
    expect(
      mergeFields(
        side(was),
        side(mine),
        side({ 'de-de': { ...de, addButtonText: '+' } }),
        () => undefined,
      ),
    ).toEqual({
      fields: side({ 'de-de': { ...de, fieldName: 'Ton', addButtonText: '+' } }),
    });
  });

  test('one text that both changed is a conflict, which names it', () => {
    const { conflicts } = merge({ de: { ...de, fieldName: 'Ton' } }, { de: { subFieldA: {} } });
    expect(conflicts).toMatchObject([
      { attributes: [{ attribute: 'translations.de.fieldName', mine: 'Ton' }] },
    ]);
  });
});

describe('options are merged by value', () => {
  const side = (text: string) => [
    {
      id: '1',
      subFieldA: {
        optionsArray: text.split(' ').map((one) => {
          const [value = '', display = value] = one.split('=');
          return { value, display };
        }),
      },
    },
  ];
  const merge = (mine: string, theirs: string, decide: Decide = () => undefined) =>
    mergeFields(side('a b c'), side(mine), side(theirs), decide);

  test.each([
    ['a removal and an addition', 'a c', 'a b c d', 'a c d'],
    ['two additions', 'x a b c', 'a b c d', 'x a b c d'],
    ['two texts and another order', 'c b a=A', 'a b=B c', 'c b=B a=A'],
  ])('%s: %s and %s', (_, mine, theirs, merged) => {
    expect(merge(mine, theirs)).toEqual({ fields: side(merged) });
  });

  test.each([
    ['a text', 'a=A b c', 'a=B b c d', 'subFieldA.optionsArray.a.display', 'a=A b c d'],
    ['a removal and a text', 'b c', 'a=B b c d', 'subFieldA.optionsArray.a', 'b c d'],
    ['the order', 'c a b', 'b a c d', 'subFieldA.optionsArray', 'c d a b'],
  ])('%s of both is a conflict: %s and %s', (_, mine, theirs, attribute, won) => {
    expect(merge(mine, theirs).conflicts).toMatchObject([{ attributes: [{ attribute }] }]);
    expect(merge(mine, theirs, () => 'mine')).toEqual({ fields: side(won) });
  });
});

/** The parts of a content, each with its value: its options by value, its languages by tag. */
function partsOf({ fields, language }: MergedContent): Map<string, unknown> {
  const parts = new Map<string, unknown>([['language', languageTag(language)]]);
  for (const { id, fieldName, subFieldA, translations } of fields as FieldWithTexts[]) {
    parts.set(`${id} fieldName`, fieldName);
    for (const { value, display } of subFieldA.optionsArray) parts.set(`${id} ${value}`, display);
    for (const [name, { fieldName: own, subFieldA: input }] of Object.entries(translations ?? {})) {
      const language = `${id} ${languageTag(name)}`;
      parts.set(`${language} fieldName`, own);
      for (const [value, text] of Object.entries(input?.options ?? {}))
        parts.set(`${language} ${value}`, text);
    }
  }
  return parts;
}

const fieldWithTexts = fc.record(
  {
    id: fc.constantFrom('1', '2'),
    fieldName: fc.constantFrom('A', 'B'),
    subFieldA: fc.record({
      optionsArray: fc.uniqueArray(
        fc.record({
          value: fc.constantFrom('a', 'b', 'c', 'd'),
          display: fc.constantFrom('X', 'Y'),
        }),
        { selector: ({ value }) => value },
      ),
    }),
    translations: fc
      .uniqueArray(
        fc.tuple(
          fc.constantFrom('de', 'fr', 'de-at', 'de-AT'),
          fc.record(
            {
              fieldName: fc.constantFrom('X', 'Y'),
              subFieldA: fc.record({
                options: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('X', 'Y')),
              }),
            },
            { requiredKeys: [] },
          ),
        ),
        { selector: ([name]) => languageTag(name) },
      )
      .map((languages) => Object.fromEntries(languages)),
  },
  { requiredKeys: ['id', 'fieldName', 'subFieldA'] },
);
type FieldWithTexts = typeof fieldWithTexts extends fc.Arbitrary<infer T> ? T : never;

test('no option, language or text that one side changed is lost without a conflict', () => {
  const content = fc.record(
    {
      fields: fc.uniqueArray(fieldWithTexts, { selector: ({ id }) => id }),
      language: fc.constantFrom('en', 'en-gb', 'en-GB', 'sv'),
    },
    { requiredKeys: ['fields'] },
  );
  fc.assert(
    fc.property(content, content, content, (base, mine, theirs) => {
      const was = partsOf(base);
      // A decision for one side takes no option from the other, unless it removes the field.
      const { merged: decided = base } = mergeContents(base, mine, theirs, () => 'mine');
      const [own, other, chosen] = [mine, theirs, decided].map(partsOf);
      for (const [part, value] of other ?? []) {
        const [id, option, ...more] = part.split(' ');
        if (!option || more.length > 0 || !own?.has(`${id} fieldName`)) continue;
        if (own.get(part) === was.get(part))
          expect([part, chosen?.get(part)]).toEqual([part, value]);
      }
      const { merged } = mergeContents(base, mine, theirs, () => undefined);
      if (!merged) return;
      const now = partsOf(merged);
      for (const side of [partsOf(mine), partsOf(theirs)]) {
        for (const part of new Set([...was.keys(), ...side.keys()])) {
          if (side.get(part) !== was.get(part))
            expect([part, now.get(part)]).toEqual([part, side.get(part)]);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

describe('a conflict is decided for one side, and nothing else changes', () => {
  test.each([
    ['a change', '1=A 2 3', '1=B 2 3=B', '1=A 2 3=B', '1=B 2 3=B'],
    ['a removal', '2 3', '1=B 2 3=B', '2 3=B', '1=B 2 3=B'],
    ['a change of what they removed', '1=A 2 3', '2 3=B', '1=A 2 3=B', '2 3=B'],
    ['the order', '3 1 2', '2 1 3=B', '3=B 1 2', '2 1 3=B'],
  ])('%s: %s and %s', (_, mine, theirs, won, lost) => {
    const merge = (decide?: Decide) => mergeFields(base, fieldsOf(mine), fieldsOf(theirs), decide);
    expect(merge(() => undefined).conflicts).toMatchObject([{ attributes: [{}] }]);
    expect(merge(() => 'mine')).toEqual({ fields: fieldsOf(won) });
    expect(merge(() => 'theirs')).toEqual({ fields: fieldsOf(lost) });
  });

  test('two fields with one name become one', () => {
    const added = (more: object) => [...base, { fieldName: 'New', ...more }];
    const [mine, theirs] = [
      { mandatory: true, maxChars: 8 },
      { id: '4', mandatory: false },
    ];
    const { fields } = mergeFields(base, added(mine), added(theirs), () => 'mine');
    expect(fields).toEqual(added({ ...mine, id: '4' }));
  });
});

test.each(['__proto__', 'constructor', 'toString'])(
  'the attribute %s is one like any other',
  (name) => {
    const [old, own] = ['old', 'own'].map((value) =>
      JSON.parse(`[{"id":"1","${name}":"${value}"}]`),
    );
    const without = [{ id: '1' }];
    expect(mergeFields(old, own, old)).toEqual({ fields: own });
    expect(mergeFields(old, without, [{ ...old[0], fieldName: 'B' }], () => 'mine').fields).toEqual(
      [{ id: '1', fieldName: 'B' }],
    );
    expect(mergeFields(without, own, without)).toEqual({ fields: own });
  },
);

const ids = ['1', '2', '3', '4', '5', '6'];
const side = fc
  .shuffledSubarray(ids)
  .chain((order) => fc.tuple(...order.map((id) => fc.constantFrom(`${id}=a`, `${id}=b`))))
  .map((fields) => fieldsOf(fields.join(' ')));

test('a side without changes leaves the other one as it is', () => {
  fc.assert(
    fc.property(side, side, (before, after) => {
      expect(mergeFields(before, after, before)).toEqual({ fields: after });
      expect(mergeFields(before, before, after)).toEqual({ fields: after });
      expect(mergeFields(before, after, after)).toEqual({ fields: after });
    }),
  );
});

test('what the service derives is no change, whichever side has it', () => {
  fc.assert(
    fc.property(wireField, fc.boolean(), (field, isMine) => {
      const [lean, whole] = JSON.parse(JSON.stringify([withoutDerived(field), field]));
      const changed = { ...lean, fieldName: `${field.fieldName} changed` };
      const sides = isMine ? [[changed], [whole]] : [[whole], [changed]];
      const [mine = [], theirs = []] = sides;
      expect(mergeFields([lean], mine, theirs)).toEqual({ fields: [changed] });
      expect(mergeFields([whole], theirs, mine)).toEqual({ fields: [changed] });
    }),
  );
  // Their text is neither a clash nor lost.
  const [was, mine, theirs] = [{}, { placeHolderText: '' }, { placeHolderText: 'Make' }].map(
    (input) => [{ id: '1', fieldType: 'text', subFieldA: { subType: 'text', ...input } }],
  );
  expect(mergeFields(was ?? [], mine ?? [], theirs ?? [])).toEqual({ fields: theirs });
});

// Few ids, so that all sides have the same fields.
const wireFields = fc.uniqueArray(
  fc.tuple(wireField, fc.constantFrom('1', '2', '3')).map(([field, id]) => ({ ...field, id })),
  { selector: ({ id }) => id },
);

test('if every conflict is decided, the sides merge, and no attribute that one changed is lost', () => {
  fc.assert(
    fc.property(
      wireFields,
      wireFields,
      wireFields,
      fc.func(fc.constantFrom('mine' as const, 'theirs' as const)),
      (before, mine, theirs, decide) => {
        const { fields: merged = [] } = mergeFields(before, mine, theirs, decide);
        for (const id of ['1', '2', '3']) {
          const [was, own, other, now] = [before, mine, theirs, merged].map((side) =>
            side.map((field) => Object(withoutDerived(field))).find((field) => field.id === id),
          );
          const sides = [own, other].filter((side) => !isEqual(side, was));
          if (sides.some((side) => side === undefined) || sides.length === 0) {
            expect(sides.length === 0 ? [was] : sides).toContainEqual(now);
            continue;
          }
          for (const name of ['fieldName', 'mandatory', 'addButtonText']) {
            const changed = [own, other]
              .map((side) => side?.[name])
              .filter((value) => value !== was?.[name]);
            expect(changed.length > 0 ? changed : [was?.[name]]).toContain(now[name]);
          }
        }
      },
    ),
  );
});

test('values are equal as Node compares them', () => {
  fc.assert(
    fc.property(fc.clone(fc.jsonValue(), 2), fc.jsonValue(), ([one, same], other) => {
      expect(isEqual(one, other)).toBe(isDeepStrictEqual(one, other));
      expect(isEqual(one, same)).toBe(true);
    }),
  );
});
