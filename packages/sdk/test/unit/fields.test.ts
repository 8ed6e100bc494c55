import { isBlank } from 'customer-data-api/configuration';
import { ANY_CHARACTER } from 'customer-data-api/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AppUi,
  answersToStore,
  checkAnswers,
  emptyAnswers,
  type FormField,
  fieldsFor,
  missingFields,
  normalizedAnswer,
  PROBLEM_TEXTS,
  type SubField,
} from '../../src/index.ts';
import vectors from '../../test-vectors/fields.json' with { type: 'json' };

/* The vectors are also run by the example apps in other languages. */

// Fields of kinds that only later releases know.
const configuration = vectors.configuration as unknown as Parameters<typeof fieldsFor>[0];
const shown = (ui: AppUi) => fieldsFor(configuration, ui);
const fields = new Map([...shown('register'), ...shown('profile')].map((one) => [one.id, one]));
const fieldOf = (id: string) => fields.get(id) as FormField;

test.each(Object.entries(vectors.shown))('%s shows its fields in order', (ui, ids) => {
  expect(shown(ui as AppUi).map(({ id }) => id)).toEqual(ids);
});

test.each(vectors.answers)('$field: $why: $instances', ({ field, instances, problems }) => {
  expect(checkAnswers(fieldOf(field), instances)).toEqual(problems);
});

test('a new form has as many inputs as the field, and only mandatory ones are missing', () => {
  for (const field of fields.values()) {
    const empty = emptyAnswers(field);
    expect(empty).toEqual([field.inputs.map(() => '')]);
    const codes = checkAnswers(field, empty).map(({ code }) => code);
    expect(codes).toEqual(field.mandatory ? field.inputs.map(() => 'missing') : []);
  }
});

test('the fields without an answer are missing, in order, and those whose option has gone', () => {
  const answers = {
    letters: [['Ann']],
    name: [['Ann']],
    sizes: [['s']],
    car: [['vw', 'A 1']],
    pet: [['', 'Tom']],
    // Answers that break a rule.
    digits: [['20191']],
    symbols: [['a'], ['b']],
    children: [['Ann'], ['Ann']],
    // Answers of another screen, and of a field that has gone.
    shop: [['south']],
    gone: [['x']],
  };
  const missing = (changes: object, ui: AppUi = 'register') =>
    missingFields(configuration, ui, { ...answers, ...changes }).map(({ id }) => id);
  expect(missing({})).toEqual([]);
  expect(missing({}, 'profile')).toEqual(['shop', 'kioskToo']);
  expect(missing({ sizes: [['s'], ['xl']] })).toEqual(['sizes']);
  expect(missing({ car: [['vw', '']] })).toEqual(['car']);
  expect(missing({ car: [['tesla', 'A 1']], pet: [['cow', 'Tom']] })).toEqual(['car', 'pet']);
  expect(missing({ pet: [], name: [[' ']], digits: undefined })).toEqual(['digits', 'name', 'pet']);
  for (const none of [null, undefined, {}]) {
    expect(missingFields(configuration, 'profile', none)).toEqual(shown('profile'));
  }
  const [field] = configuration?.fields ?? [];
  for (const id of ['constructor', '__proto__']) {
    const hostile = { fields: [{ ...field, id }] } as typeof configuration;
    expect(missingFields(hostile, 'register', {})).toMatchObject([{ id, mandatory: false }]);
  }
  expect(missingFields(null, 'register', answers)).toEqual([]);
});

test('any answers are checked as they will be stored, and a problem names an input and has a text', () => {
  const instance = fc.array(fc.string({ unit: ANY_CHARACTER }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...fields.values()),
      fc.array(instance, { maxLength: 4 }),
      (field, instances) => {
        const problems = checkAnswers(field, instances);
        const stored = answersToStore(field, instances);
        expect(answersToStore(field, stored)).toEqual(stored);
        const codes = problems.map(({ code, input }) => ({ code, input }));
        expect(checkAnswers(field, stored)).toMatchObject(codes);
        for (const answers of stored) {
          expect(answers.length).toBeGreaterThanOrEqual(field.inputs.length);
          expect(answers.slice(0, field.inputs.length).join('')).not.toBe('');
        }
        for (const { code, instance: row, input } of problems) {
          expect(row).toBeLessThan(Math.max(1, instances.length));
          const text = PROBLEM_TEXTS[code](
            field.inputs[input] as SubField,
            instances[row]?.[input] ?? '',
          );
          expect(text).not.toBe('');
        }
      },
    ),
  );
});

test('an answer to an input that has gone stays until the others are emptied', () => {
  const stored = answersToStore(fieldOf('letters'), [
    ['Ann ', 'M-AB 123'],
    [' ', 'M-CD 7'],
  ]);
  expect(stored).toEqual([['Ann', 'M-AB 123']]);
});

const textInput = fieldOf('name').inputs[0] as SubField;

test('what nobody sees goes, wherever it is, but joiners, selectors and tags stay in a text', () => {
  const plane = Array.from({ length: 0x10000 }, (_, code) => code);
  // The other planes have ideographs only.
  const characters = [0, 0x10000, 0xe0000].flatMap((first) =>
    plane.map((code) => String.fromCodePoint(first + code)),
  );
  const unseen = characters.filter((one) => isBlank(one) && !/[\p{Cc}\p{Z}]/u.test(one));
  const part = /[\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}]/u;
  const lost = new Set(unseen.filter((one) => !part.test(one)));
  const kept = characters.filter((one) => !lost.has(one) && !/\p{Cs}/u.test(one));
  const inText = (all: readonly string[]) => `a${all.join('a')}a`;
  // Each in its own text, because the letter after it can be a part of it in form C.
  for (const one of unseen) {
    const [around, inside] = [`${one}a b${one}`, `a${one}${one}b`];
    expect(normalizedAnswer(textInput, around)).toBe(lost.has(one) ? 'a b' : `a b${one}`);
    expect(normalizedAnswer(textInput, inside)).toBe(lost.has(one) ? 'ab' : inside);
    expect(normalizedAnswer(textInput, ` ${one} ${one}${one}`)).toBe('');
  }
  expect(normalizedAnswer(textInput, inText(kept))).toBe(inText(kept).normalize('NFC'));
});

test('spaces around an answer go, as they always did', () => {
  const unit = fc.constantFrom(...' \t\r\n\u00a0\u1680\u2003\u3000aé\u0301-');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 10 }), (answer) => {
      const trimmed = answer.normalize('NFC').replace(/^[\p{Zs}\t\r\n]+|[\p{Zs}\t\r\n]+$/gu, '');
      expect(normalizedAnswer(textInput, answer)).toBe(trimmed);
    }),
  );
});

// A pattern that starts anew at each of them would take minutes.
test.each([' ', '\u00a0', '\n', '\u200b', '\u200c', ' \u200c', '\u200b '])(
  'an answer with very many %j is checked at once',
  (repeated) => {
    const field = fieldOf('name');
    const answer = `a${repeated.repeat(200_000)}b`;
    expect(checkAnswers(field, [[answer], [`${answer} `]])).toBeInstanceOf(Array);
    expect(PROBLEM_TEXTS.tooLong(textInput, answer)).not.toBe('');
  },
);

test('of any stored data, the fields that are well formed are shown', () => {
  const [good] = configuration?.fields ?? [];
  /** Properties of a field and of its input, each with another value. */
  const damaged = fc
    .tuple(
      fc.constantFrom('id', 'fieldType', 'fieldName', 'appUIs', 'addButtonText', 'subFieldA'),
      fc.jsonValue(),
    )
    .map(([name, value]) => ({ ...good, [name]: value }));
  const damagedInput = fc
    .tuple(
      fc.constantFrom('subType', 'maxChars', 'placeHolderText'),
      fc.constantFrom(null, [], {}, true),
    )
    .map(([name, value]) => ({ ...good, subFieldA: { ...good?.subFieldA, [name]: value } }));
  const damagedOptions = fc.jsonValue().map((optionsArray) => ({
    ...good,
    fieldType: 'drop',
    subFieldA: { subType: 'drop', placeHolderText: '', optionsArray },
  }));
  const any = fc.oneof(damaged, damagedInput, damagedOptions, fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.array(any), fc.jsonValue()), fc.boolean(), (fields, isWhole) => {
      const list = isWhole && Array.isArray(fields) ? [...fields, good] : fields;
      for (const field of fieldsFor({ fields: list } as never, 'register')) {
        expect(checkAnswers(field, answersToStore(field, [['x', 'y']]))).toBeInstanceOf(Array);
      }
      if (list !== fields)
        expect(fieldsFor({ fields: list } as never, 'register').length).toBeGreaterThan(0);
      expect(fieldsFor(fields as never, 'profile')).toEqual([]);
    }),
  );
  expect([null, undefined].map((none) => fieldsFor(none, 'register'))).toEqual([[], []]);
});
