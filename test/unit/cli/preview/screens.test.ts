import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screens } from '../../../../cli/preview/screens.ts';
import { exampleClients } from '../../../../core/configuration/example-clients.ts';
import type { Field } from '../../../../core/configuration/field.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { wireFields } from '../../../support/configurations.ts';

const demo = exampleClients().find(({ clientId }) => clientId === 'demo');
const { fields } = readConfiguration({ ...demo }).configuration;
const [company, contact, car, child] = fields as [Field, Field, Field, Field];

/** What the profile screen shows of a field, without title. */
const drawn = (field: object) => {
  const lines = screens([{ ...child, mandatory: false, ...field } as Field]);
  return lines.slice(lines.indexOf('Profile') + 3, -1);
};

test('the profile screen of the example', () => {
  const lines = screens(fields);
  expect(lines.slice(lines.indexOf('Profile'))).toEqual([
    'Profile',
    '='.repeat(80),
    '',
    'Company',
    '  [ Where you work                           ]',
    '  (letters, digits and symbols, at most 40)',
    '',
    'Preferred contact *',
    '  [ Choose one                             v ]',
    '      - By e-mail',
    '      - By phone',
    '      - Please do not',
    '',
    'Car',
    '  [ Make                                   v ]',
    '      - Volkswagen',
    '      - Toyota',
    '      - Another make',
    '  [ Licence plate                            ]',
    '  (letters and digits, at most 10)',
    '  (the app decides on which screens it is)',
    '',
    "Child's year of birth",
    '  [ 2019                                     ]',
    '  (digits, at most 4)',
    '  ( + Add a child )',
    '',
    '* must be filled in',
    '',
  ]);
});

test('each screen has only its fields, in their order', () => {
  const captions = (all: readonly Field[]) => {
    const lines = screens(all);
    const names = fields.map(({ fieldName }) => fieldName);
    return [lines.slice(0, lines.indexOf('Profile')), lines.slice(lines.indexOf('Profile'))].map(
      (part) => part.filter((line) => names.some((name) => line.replace(/ \*$/, '') === name)),
    );
  };
  expect(captions([child, { ...company, appUIs: ['register'] }, car])).toEqual([
    ['Company', 'Car'],
    ["Child's year of birth", 'Car'],
  ]);
  expect(screens([{ ...contact, appUIs: ['register'] }]).slice(-5)).toEqual([
    'Profile',
    '='.repeat(80),
    '',
    'No fields.',
    '',
  ]);
});

test('a field that is on no screen is named below them', () => {
  const nowhere = { ...company, fieldName: 'Fax', mandatory: true, appUIs: ['checkout'] };
  expect(screens([nowhere, { ...child, appUIs: [] }]).slice(-7)).toEqual([
    'On no screen',
    '='.repeat(80),
    '',
    'Fax *',
    "Child's year of birth",
    '(appUIs names neither register nor profile)',
    '',
  ]);
});

test('values that must differ, a button without a text, and no caption', () => {
  expect(
    drawn({
      fieldName: '',
      addButtonText: '',
      subFieldA: { ...child.subFieldA, allowCopies: false },
    }),
  ).toEqual([
    '(no caption)',
    '  [ 2019                                     ]',
    '  (digits, at most 4, no value twice)',
    '  ( + )',
  ]);
  expect(
    drawn({
      ...{ ...contact, mandatory: false, allowMultiple: true, addButtonText: 'More' },
    }).slice(-2),
  ).toEqual(['  (no value twice)', '  ( + More )']);
});

test.each([
  [40, false],
  [41, true],
])('a placeholder of %d characters is cut off: %j', (length, isCut) => {
  const text = (placeHolderText: string) =>
    drawn({ subFieldA: { ...child.subFieldA, placeHolderText } });
  // As an emoji has two units.
  for (const character of ['x', '\u{1f355}']) {
    const shown = isCut ? `${character.repeat(39)}…` : character.repeat(length);
    expect(text(character.repeat(length))[1]).toBe(`  [ ${shown} ]`);
  }
});

test('a long placeholder is cut off, and control characters cannot move the cursor', () => {
  const placeHolderText = `Up\u001b[2A ${'long '.repeat(20)}`;
  expect(drawn({ subFieldA: { ...child.subFieldA, placeHolderText } })[1]).toBe(
    '  [ Up\\u001b[2A long long long long long lo… ]',
  );
});

test('for any fields, each line has at most 80 characters and no control characters', () => {
  const long = fc
    .tuple(wireFields, fc.nat(200))
    .map(([all, length]) =>
      all.map((field) => ({ ...field, fieldName: field.fieldName + 'x y'.repeat(length) })),
    );
  fc.assert(
    fc.property(long, (all) => {
      for (const line of screens(all as unknown as Field[])) {
        expect([...line].length).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});

test('in a combo that repeats, each input says so, and a long text of a menu is cut off or broken', () => {
  const { subFieldA, subFieldB } = car;
  const placeHolderText = 'x'.repeat(39);
  const optionsArray = [{ value: 'v', display: `${'A make '.repeat(12)}\u001b` }];
  const lines = drawn({
    ...{ ...car, appUIs: ['profile'], allowMultiple: true, addButtonText: 'Another '.repeat(10) },
    subFieldA: { ...subFieldA, allowCopies: false, placeHolderText, optionsArray },
    subFieldB: { ...subFieldB, allowCopies: false },
  });
  expect(lines).toEqual([
    'Car',
    `  [ ${'x'.repeat(37)}… v ]`,
    `      - ${'A make '.repeat(10)}A`,
    '      make A make \\u001b',
    '  (no value twice)',
    '  [ Licence plate                            ]',
    '  (letters and digits, at most 10, no value twice)',
    `  ( + ${'Another '.repeat(9).trim()}`,
    '  Another )',
  ]);
});

test.each(['fieldName', 'addButtonText'])('control characters in %s are shown as such', (name) => {
  const lines = screens([{ ...child, [name]: 'Add\u001b[2J it' } as Field]).join('\n');
  expect(lines).toContain('Add\\u001b[2J it');
  expect(lines).not.toContain('\u001b');
});
