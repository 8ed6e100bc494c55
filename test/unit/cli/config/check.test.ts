import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkConfigurationFile } from '../../../../cli/config/check.ts';
import { PIZZA } from '../../../support/configurations.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Checks a file. Returns its findings without the name of the file, and the summary. */
async function check(text: string) {
  const file = join(folder, 'pizza.yaml');
  await writeFile(file, text);
  const lines: string[] = [];
  let summary = '';
  await checkConfigurationFile(
    file,
    (line) => lines.push(line),
    (line) => {
      summary = line;
    },
  ).catch((error) => {
    summary = error.message;
  });
  return { findings: lines.map((line) => line.replace(`${file}:`, '')), summary };
}

/** The good file with one change. */
function changed(from: string, to: string): string {
  expect(PIZZA.split(from).length).toBeGreaterThan(1);
  return PIZZA.replace(from, () => to);
}

const ONE_OF_EACH =
  'keep one of the attributes with this name, or write - before the first attribute of a new field or option.';

/* Each row: a text of the good file, what replaces it, and what the check then says. */
const BROKEN: [from: string, to: string, findings: string[]][] = [
  [
    'clientId: pizza\n',
    '',
    ["1:1 error: clientId: is missing; it is the key of the client's item, a string."],
  ],
  [
    'clientId: pizza',
    'clientId: ""',
    ["1:1 error: clientId: is not a client id; it is the key of the client's item, a string."],
  ],
  [
    'clientId: pizza',
    'clientId: 7',
    ["1:1 error: clientId: is not a client id; it is the key of the client's item, a string."],
  ],
  [
    'clientId: pizza',
    'clientID: pizza',
    [
      '1:1 error: clientID: is not an attribute that the service knows; clientId is.',
      "1:1 error: clientId: is missing; it is the key of the client's item, a string.",
    ],
  ],
  [
    'clientId: pizza',
    'clientId: pizza\nappIds: [key]',
    [
      '2:1 error: appIds: does not belong in a file: keys are managed apart from the configuration.',
    ],
  ],
  [
    'clientId: pizza',
    'clientId: pizza\nuserPoolClientIds: [app]',
    [
      '2:1 error: userPoolClientIds: does not belong in a file: keys are managed apart from the configuration.',
    ],
  ],
  [
    'clientId: pizza',
    'clientId: pizza\nuserPoolClientId: app',
    [
      '2:1 error: userPoolClientId: is not an attribute that the service knows; userPoolClientIds is.',
    ],
  ],
  ['lastFieldId: 3\n', '', []],
  ['  - id: "2"\n    fieldType', '  - fieldType', []],
  ['clientId: pizza', 'clientId: pizza\nbase: 5f70bf18a086007016e948b04aed3b82', []],
  [
    'clientId: pizza',
    'clientId: pizza\nbase: 7',
    ['2:1 error: base: is not what config pull wrote; pull the configuration again.'],
  ],
  [
    'clientId: pizza',
    'clientId: pizza\nbase: [7]',
    ['2:1 error: base: is not what config pull wrote; pull the configuration again.'],
  ],
  [
    'lastFieldId: 3',
    'lastFieldId: "3"',
    ['2:1 error: lastFieldId: is not an integer; it is the highest id that a field ever had.'],
  ],
  [
    'lastFieldId: 3',
    'lastFieldId: 3.5',
    ['2:1 error: lastFieldId: is not an integer; it is the highest id that a field ever had.'],
  ],
  [
    'lastFieldId: 3',
    'lastFieldId: 2',
    [
      '2:1 warning: lastFieldId: is below 3, the highest id of a field: the next field could get an id twice.',
    ],
  ],
  [
    'lastFieldId: 3',
    'lastFieldID: 3',
    ['2:1 error: lastFieldID: is not an attribute that the service knows; lastFieldId is.'],
  ],
  [
    'lastFieldId: 3',
    'lastFieldId: 3\nowner: marketing',
    [
      '3:1 error: owner: is not an attribute that the service knows; the file can have clientId, base, lastFieldId, fields.',
    ],
  ],
  [
    'lastFieldId: 3',
    'lastFieldId: 3\nlastChange: { by: jane }',
    ['3:1 error: lastChange: does not belong in a file: config publish writes it.'],
  ],
  [
    'fields:',
    'feilds:',
    [
      '1:1 error: fields: is missing; a client without fields has an empty list.',
      '3:1 error: feilds: is not an attribute that the service knows; fields is.',
    ],
  ],
  [
    'fields:',
    'fields: 7\nothers:',
    [
      '3:1 error: fields: must be a list of fields.',
      '4:1 error: others: is not an attribute that the service knows; the file can have clientId, base, lastFieldId, fields.',
    ],
  ],
  [
    '  - id: "1"',
    '  - ident: "1"',
    [
      '4:5 error: fields[0].ident: is not an attribute that the service knows; a field can have id, mandatory, fieldName, addButtonText, fieldType, appUIs, allowMultiple, subFieldA, subFieldB.',
    ],
  ],
  [
    '    subFieldA:\n      subType: text',
    '    placeholder: Text\n    subFieldA:\n      subType: text',
    [
      '24:5 error: fields[1].placeholder: is not an attribute that the service knows; placeHolderText is, and belongs in subFieldA or subFieldB, not in the field.',
    ],
  ],
  [
    '      maxChars: 8',
    '      maxChars: 8\n      mandatory: true',
    [
      '32:7 error: fields[1].subFieldA.mandatory: belongs in the field, not in subFieldA or subFieldB.',
    ],
  ],
  [
    '      maxChars: 8',
    '      maxChars: 8\n      display: Number',
    [
      '32:7 error: fields[1].subFieldA.display: belongs in an option, not in subFieldA or subFieldB.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m, display: Margherita, mandatory: true }',
    [
      '16:44 error: fields[0].subFieldA.optionsArray[0].mandatory: belongs in the field, not in an option.',
    ],
  ],
  [
    '      maxChars: 8',
    '      maxChars: 8\n      colour: red',
    [
      '32:7 error: fields[1].subFieldA.colour: is not an attribute that the service knows; subFieldA and subFieldB can have subType, placeHolderText, allowCopies, alpha, numbers, symbols, maxChars, options, optionsArray.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m, display: Margherita, label: M }',
    [
      '16:44 error: fields[0].subFieldA.optionsArray[0].label: is not an attribute that the service knows; an option can have value, display.',
    ],
  ],
  [
    'placeHolderText: Choose one',
    'placeholder: Choose one',
    [
      '13:7 error: fields[0].subFieldA.placeholder: is not an attribute that the service knows; placeHolderText is.',
    ],
  ],
  [
    '  - id: "1"',
    '  - id: 1',
    ['4:5 error: fields[0].id: must be a string, not 1; put it in quotes.'],
  ],
  ['  - id: "1"', '  - id: ""', ['4:5 error: fields[0].id: must not be empty.']],
  ['  - id: "2"', '  - id: "1"', ['18:5 error: fields[1].id: is already the id of fields[0].']],
  [
    'fieldType: drop',
    'fieldType: dropdown',
    ['5:5 error: fields[0].fieldType: must be "text" or "drop" or "combo", not "dropdown".'],
  ],
  [
    'fieldType: text',
    'fieldType: drop',
    [
      '24:5 error: fields[1].subFieldA.optionsArray: a dropdown needs at least one option.',
      '25:7 error: fields[1].subFieldA.subType: must be "drop", not "text".',
      '29:7 error: fields[1].subFieldA.numbers: must be false, not true.',
    ],
  ],
  [
    'fieldType: drop',
    'fieldtype: drop',
    [
      '4:5 error: fields[0].fieldType: is missing; it is "text" or "drop" or "combo": The kind of component.',
      '5:5 error: fields[0].fieldtype: is not an attribute that the service knows; fieldType is.',
    ],
  ],
  [
    '    fieldType: combo\n',
    '',
    [
      '32:5 error: fields[2].fieldType: is missing; it is "text" or "drop" or "combo": The kind of component.',
    ],
  ],
  [
    '    fieldName: Favourite pizza\n',
    '',
    ['4:5 error: fields[0].fieldName: is missing; it is a string: Caption of the component.'],
  ],
  [
    'fieldName: Favourite pizza',
    'fieldName: ""',
    ['6:5 warning: fields[0].fieldName: is empty, so the customer sees no caption.'],
  ],
  ...['-1', '0.5', 'true', 'false'].map((value): (typeof BROKEN)[number] => [
    'fieldName: Favourite pizza',
    `fieldName: ${value}`,
    [`6:5 error: fields[0].fieldName: must be a string, not ${value}; put it in quotes.`],
  ]),
  [
    'fieldName: Favourite pizza',
    'fieldName: [pizza]',
    ['6:5 error: fields[0].fieldName: must be a string, not a list.'],
  ],
  [
    'fieldName: Car',
    'fieldName: Membership number',
    ['34:5 warning: fields[2].fieldName: is already the caption of fields[1].'],
  ],
  [
    'mandatory: true',
    'mandatory: yes',
    ['21:5 error: fields[1].mandatory: must be true or false, not "yes".'],
  ],
  [
    '    mandatory: true\n',
    '',
    [
      '18:5 error: fields[1].mandatory: is missing; it is true or false: If true, the field cannot be left empty and the app must prevent submission.',
    ],
  ],
  [
    'appUIs: [profile]',
    'appUIs: [registration]',
    [
      '8:5 warning: fields[0].appUIs: the field is shown nowhere.',
      '8:14 warning: fields[0].appUIs[0]: apps have no UI registration; write register or profile.',
    ],
  ],
  [
    '    subFieldA:\n      subType: drop\n      placeHolderText: Make\n      allowCopies: true\n      optionsArray:\n        - { value: v, display: Volvo }\n',
    '',
    [
      '32:5 error: fields[2].subFieldA: is missing; it is a map: One interactive element: a text input or a dropdown menu.',
    ],
  ],
  [
    'lastFieldId: 3\n',
    'lastFieldId: 3\nbase: !T x\nowner: us\n',
    [
      '3:7 error: Unresolved tag: !T; put a text that begins with ! in quotes.',
      '4:1 error: owner: is not an attribute that the service knows; the file can have clientId, base, lastFieldId, fields.',
    ],
  ],
  [
    'lastFieldId: 3\n',
    'lastFieldId: 3\nbase: "\\T"\nowner: us\n',
    [
      '3:8 error: Invalid escape sequence \\T; write \\\\ for a backslash in double quotes, or use single quotes.',
      '4:1 error: owner: is not an attribute that the service knows; the file can have clientId, base, lastFieldId, fields.',
    ],
  ],
  [
    'appUIs: [profile]',
    'appUIs: [Profile]',
    [
      '8:5 warning: fields[0].appUIs: the field is shown nowhere.',
      '8:14 warning: fields[0].appUIs[0]: apps have no UI Profile; write profile.',
    ],
  ],
  [
    '    subFieldA:\n      subType: drop\n      placeHolderText: Choose one',
    '    subFieldB:\n      subType: drop\n      placeHolderText: Choose one',
    [
      '4:5 error: fields[0].subFieldA: is missing; rename subFieldB to subFieldA: only a combo has a second input.',
    ],
  ],
  [
    'appUIs: [profile]',
    'appUIs: [profl]',
    [
      '8:5 warning: fields[0].appUIs: the field is shown nowhere.',
      '8:14 warning: fields[0].appUIs[0]: apps have no UI profl; write profile.',
    ],
  ],
  [
    'appUIs: [profile]',
    'appUIs: []',
    ['8:5 warning: fields[0].appUIs: the field is shown nowhere.'],
  ],
  [
    'appUIs: [register, profile]',
    'appUIs: []',
    [
      '22:5 warning: fields[1].appUIs: the field is mandatory, but shown nowhere: customers cannot fill it in.',
    ],
  ],
  [
    'appUIs: [register, profile]',
    'appUIs: [registration, profile]',
    [
      '22:14 warning: fields[1].appUIs[0]: apps have no UI registration; write register or profile.',
    ],
  ],
  [
    'appUIs: [profile]',
    'appUIs: profile',
    ['8:5 error: fields[0].appUIs: must be a list, not "profile".'],
  ],
  [
    'appUIs: [profile]',
    'appUIs: [1]',
    ['8:14 error: fields[0].appUIs[0]: must be a string, not 1; put it in quotes.'],
  ],
  [
    'appUIs: [profile]',
    'appUI: [profile]',
    [
      '4:5 error: fields[0].appUIs: is missing; it is a list: The UIs in which the field is presented: register, profile.',
      '8:5 error: fields[0].appUI: is not an attribute that the service knows; appUIs is.',
    ],
  ],
  [
    'allowMultiple: true',
    'allowMultiple: 1',
    ['9:5 error: fields[0].allowMultiple: must be true or false, not 1.'],
  ],
  [
    '    allowMultiple: true\n',
    '',
    [
      '4:5 error: fields[0].allowMultiple: is missing; it is true or false: If true, the customer can add further instances of the component.',
    ],
  ],
  [
    'addButtonText: Add another',
    'addButtonText: 7',
    ['10:5 error: fields[0].addButtonText: must be a string, not 7; put it in quotes.'],
  ],
  [
    'addButtonText',
    'addButonText',
    [
      '10:5 error: fields[0].addButonText: is not an attribute that the service knows; addButtonText is.',
    ],
  ],
  [
    '    subFieldA:\n      subType: text',
    '    subFieldC:\n      subType: text',
    [
      '18:5 error: fields[1].subFieldA: is missing; it is a map: A text input. At least one of alpha, numbers and symbols is true.',
      '24:5 error: fields[1].subFieldC: is not an attribute that the service knows; subFieldA is.',
    ],
  ],
  [
    'subType: text',
    'subType: drop',
    ['25:7 error: fields[1].subFieldA.subType: must be "text", not "drop".'],
  ],
  [
    'subType: text',
    'subType: number',
    ['25:7 error: fields[1].subFieldA.subType: must be "text", not "number".'],
  ],
  [
    '      subType: text\n',
    '',
    ['24:5 error: fields[1].subFieldA.subType: is missing; it is "text": The kind of input.'],
  ],
  [
    'placeHolderText: Choose one',
    'placeholderText: Choose one',
    [
      '13:7 error: fields[0].subFieldA.placeholderText: is not an attribute that the service knows; placeHolderText is.',
    ],
  ],
  [
    'placeHolderText: "12345678"',
    'placeHolderText: 12345678',
    [
      '26:7 error: fields[1].subFieldA.placeHolderText: must be a string, not 12345678; put it in quotes.',
    ],
  ],
  [
    'placeHolderText: "12345678"',
    'placeHolderText: 8 digits',
    [
      '26:7 warning: fields[1].subFieldA.placeHolderText: has letters, which alpha does not permit the customer.',
    ],
  ],
  [
    'placeHolderText: "12345678"',
    'placeHolderText: 1234-567',
    [
      '26:7 warning: fields[1].subFieldA.placeHolderText: has symbols, which symbols does not permit the customer.',
    ],
  ],
  [
    'placeHolderText: "12345678"',
    'placeHolderText: Код 1',
    [
      '26:7 warning: fields[1].subFieldA.placeHolderText: has letters, which alpha does not permit the customer.',
    ],
  ],
  // A character of two UTF-16 units counts once, and is a symbol.
  [
    'placeHolderText: "12345678"',
    'placeHolderText: "1234567🍕"',
    [
      '26:7 warning: fields[1].subFieldA.placeHolderText: has symbols, which symbols does not permit the customer.',
    ],
  ],
  [
    'placeHolderText: "12345678"',
    'placeHolderText: "123456789"',
    [
      '26:7 warning: fields[1].subFieldA.placeHolderText: has 9 characters, and the customer may enter 8.',
    ],
  ],
  [
    '      allowCopies: false\n      alpha',
    '      alpha',
    [
      '24:5 error: fields[1].subFieldA.allowCopies: is missing; it is true or false: If false, several instances must not have the same value.',
    ],
  ],
  [
    'allowCopies: false\n      alpha',
    'allowCopies: "false"\n      alpha',
    ['27:7 error: fields[1].subFieldA.allowCopies: must be true or false, not "false".'],
  ],
  [
    'alpha: false',
    'alpha: null',
    ['28:7 error: fields[1].subFieldA.alpha: must be true or false, not null.'],
  ],
  [
    'numbers: true',
    'numbers: false',
    [
      '24:5 error: fields[1].subFieldA: permits no characters: alpha, numbers and symbols are all false.',
    ],
  ],
  [
    'symbols: false',
    'symbol: false',
    [
      '24:5 error: fields[1].subFieldA.symbols: is missing; it is true or false: Whether symbols are permitted.',
      '30:7 error: fields[1].subFieldA.symbol: is not an attribute that the service knows; symbols is.',
    ],
  ],
  ['maxChars: 8', 'maxChars: 0', ['31:7 error: fields[1].subFieldA.maxChars: must be at least 1.']],
  [
    'maxChars: 8',
    'maxChars: 8.5',
    ['31:7 error: fields[1].subFieldA.maxChars: must be an integer.'],
  ],
  [
    'maxChars: 8',
    'maxChars: eight',
    ['31:7 error: fields[1].subFieldA.maxChars: must be a number, not "eight".'],
  ],
  [
    '      maxChars: 8\n',
    '',
    [
      '24:5 error: fields[1].subFieldA.maxChars: is missing; it is a number: Maximum number of characters the customer may enter.',
    ],
  ],
  [
    'maxChars: 8',
    'maxChars: 8\n      optionsArray: [{ value: a, display: b }]',
    ['32:7 warning: fields[1].subFieldA.optionsArray: is derived by the service; leave it out.'],
  ],
  ['    fieldName: Car', '    fieldName: Car\n    addButtonText: ""', []],
  [
    '      allowCopies: false\n      optionsArray',
    '      allowCopies: false\n      options: "Margherita:m"\n      alpha: true\n      optionsArray',
    [
      '15:7 warning: fields[0].subFieldA.options: is derived by the service; leave it out.',
      '16:7 warning: fields[0].subFieldA.alpha: is derived by the service; leave it out.',
    ],
  ],
  [
    '    mandatory: true',
    '    mandatory: true\n    subFieldB: { subType: text, options: "" }',
    ['22:5 warning: fields[1].subFieldB: is derived by the service; leave it out.'],
  ],
  [
    '      optionsArray:\n        - { value: v, display: Volvo }\n',
    '',
    [
      '36:5 error: fields[2].subFieldA.optionsArray: is missing; it is a list: The menu entries, in the order of the menu.',
    ],
  ],
  [
    'optionsArray:\n        - { value: v, display: Volvo }',
    'optionsArray: []',
    ['40:7 error: fields[2].subFieldA.optionsArray: a dropdown needs at least one option.'],
  ],
  [
    '{ value: m, display: Margherita }',
    'Margherita',
    ['16:11 error: fields[0].subFieldA.optionsArray[0]: must be a map.'],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: 1, display: Margherita }',
    [
      '16:13 error: fields[0].subFieldA.optionsArray[0].value: must be a string, not 1; put it in quotes.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ display: 1, value: 2 }',
    [
      '16:13 error: fields[0].subFieldA.optionsArray[0].display: must be a string, not 1; put it in quotes.',
      '16:25 error: fields[0].subFieldA.optionsArray[0].value: must be a string, not 2; put it in quotes.',
    ],
  ],
  [
    '{ value: f, display: Funghi }',
    '{ value: f, display: Funghi',
    [
      '18:3 error: Flow map in block collection must be sufficiently indented and end with a }; write ] or } at its end.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m, displays: Margherita }',
    [
      '16:11 error: fields[0].subFieldA.optionsArray[0].display: is missing; it is a string: Text shown in the menu.',
      '16:23 error: fields[0].subFieldA.optionsArray[0].displays: is not an attribute that the service knows; display is.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m, display: "Margherita: small" }',
    [
      '16:23 warning: fields[0].subFieldA.optionsArray[0].display: has a colon or a line feed, which the website takes for the end of the text in options.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m, display: "Mar\\ngherita" }',
    [
      '16:23 warning: fields[0].subFieldA.optionsArray[0].display: has a colon or a line feed, which the website takes for the end of the text in options.',
    ],
  ],
  [
    '{ value: f, display: Funghi }',
    '{ value: M, display: Funghi }',
    [
      '17:13 warning: fields[0].subFieldA.optionsArray[1].value: differs only in case from that of an earlier option.',
    ],
  ],
  [
    '{ value: f, display: Funghi }',
    '{ value: f, display: Margherita }',
    [
      '17:23 warning: fields[0].subFieldA.optionsArray[1].display: equals that of an earlier option.',
    ],
  ],
  [
    '    subFieldB:\n      subType: text',
    '    subfieldB:\n      subType: text',
    [
      '32:5 error: fields[2].subFieldB: is missing; it is a map: One interactive element: a text input or a dropdown menu.',
      '42:5 error: fields[2].subfieldB: is not an attribute that the service knows; subFieldB is.',
    ],
  ],
  [
    'subFieldB:',
    'subFieldB: text\n    other:',
    [
      '42:5 error: fields[2].subFieldB: must be a map.',
      '43:5 error: fields[2].other: is not an attribute that the service knows; a field can have id, mandatory, fieldName, addButtonText, fieldType, appUIs, allowMultiple, subFieldA, subFieldB.',
    ],
  ],
  ['  - id: "2"', '  - just text\n  - id: "2"', ['18:5 error: fields[1]: must be a map.']],
  ['  - id: "2"', '  - null\n  - id: "2"', ['18:5 error: fields[1]: must be a map.']],
  [
    'clientId: pizza',
    'clientId: pizza\nclientId: pasta',
    [`2:1 error: Map keys must be unique; ${ONE_OF_EACH}`],
  ],
  [
    '  - id: "2"\n    fieldType: text',
    '    id: "2"',
    ['18:5', '19:5', '20:5', '21:5', '22:5', '23:5'].map(
      (place) => `${place} error: Map keys must be unique; ${ONE_OF_EACH}`,
    ),
  ],
  [
    'fields:',
    'fields: [',
    [
      '4:3 error: Block collections are not allowed within flow collections; write a comma between two attributes, and ] or } at the end.',
    ],
  ],
  [
    '    fieldType: text',
    '\tfieldType: text',
    ['19:1 error: Tabs are not allowed as indentation; indent with spaces.'],
  ],
  [
    '    mandatory: true',
    '  mandatory: true',
    [
      '21:1 error: All mapping items must start at the same column; indent it like what is beside it.',
    ],
  ],
  [
    'Membership number',
    'Number: which one',
    [
      '20:16 error: Nested mappings are not allowed in compact mappings; put a text that contains a colon and a space in quotes, or indent the attribute like those beside it.',
    ],
  ],
  [
    'Membership number',
    "'Don't know'",
    ['20:21 error: Unexpected scalar at node end; remove it, or put the whole text in quotes.'],
  ],
  [
    'Membership number',
    '@Number',
    ['20:16 error: Plain value cannot start with reserved character @; put the text in quotes.'],
  ],
  [
    'Membership number',
    '!Number of the member',
    ['20:16 error: Unresolved tag: !Number; put a text that begins with ! in quotes.'],
  ],
  [
    'Membership number',
    '"C:\\Temp"',
    [
      '20:19 error: Invalid escape sequence \\T; write \\\\ for a backslash in double quotes, or use single quotes.',
    ],
  ],
  [
    'fieldName: Membership number',
    'fieldName:Membership number',
    [
      '20:5 error: Implicit keys need to be on a single line; write a colon and a space after the name of the attribute.',
    ],
  ],
  [
    'appUIs: [register, profile]',
    'appUIs: [register, profile',
    [
      '23:5 error: Flow sequence in block collection must be sufficiently indented and end with a ]; write ] or } at its end.',
    ],
  ],
  [
    '{ value: m, display: Margherita }',
    '{ value: m display: Margherita }',
    [
      '16:20 error: Block collections are not allowed within flow collections; write a comma between two attributes, and ] or } at the end.',
    ],
  ],
  [
    'lastFieldId: 3\n',
    'lastFieldId: 3\n---\n',
    [
      '3:1 error: A file has one configuration, and --- begins another one; remove this line and what follows, or put it into a file of its own.',
    ],
  ],
  [
    'lastFieldId: 3\nfields:\n  - id: "1"\n    fieldType',
    'lastFieldId: none\nfields:\n  - fieldType',
    ['2:1 error: lastFieldId: is not an integer; it is the highest id that a field ever had.'],
  ],
  [
    'clientId: pizza',
    'clientId: "pizza',
    ['1:11 error: Text that begins with " has no closing "; write it at the end of the text.'],
  ],
  [
    'fieldName: Membership number',
    "fieldName: 'Membership number",
    ["20:16 error: Text that begins with ' has no closing '; write it at the end of the text."],
  ],
  [
    'fieldName: Favourite pizza',
    'fieldName: *Required',
    [
      '6:16 error: *Required repeats a value above it that has no name; write &Required before that value, or put *Required in quotes if it is a text.',
    ],
  ],
  [
    'lastFieldId: 3\n',
    `lastFieldId: 3\na: &a [1]\nb: &b [${'*a,'.repeat(60)}]\nc: [${'*b,'.repeat(60)}]\n`,
    ['4:8 error: Aliases repeat a value too often; write the values out.'],
  ],
  [
    PIZZA,
    '{ "clientId": "pizza"\n',
    ['2:1 error: Flow map must end with a }; write it there, or put a text in quotes.'],
  ],
  [PIZZA, '', ['1:1 error: The file must be a map with clientId, lastFieldId and fields.']],
  [
    PIZZA,
    '- fieldName: @Car\n',
    ['1:14 error: Plain value cannot start with reserved character @; put the text in quotes.'],
  ],
  [PIZZA, '[]', ['1:1 error: The file must be a map with clientId, lastFieldId and fields.']],
  [
    'fieldName: Favourite pizza',
    'fieldName: " "',
    ['6:5 warning: fields[0].fieldName: is empty, so the customer sees no caption.'],
  ],
  [
    'fieldName: Favourite pizza',
    'fieldName: { en: pizza }',
    ['6:5 error: fields[0].fieldName: must be a string, not a map.'],
  ],
  [
    'placeHolderText: Model',
    'placeHolderText: The model that you drive',
    [
      '44:7 warning: fields[2].subFieldB.placeHolderText: has 24 characters, and the customer may enter 20.',
    ],
  ],
  [
    'placeHolderText: Model\n      allowCopies: true\n      alpha: true\n      numbers: true',
    'placeHolderText: Model 3\n      allowCopies: true\n      alpha: true\n      numbers: false',
    [
      '44:7 warning: fields[2].subFieldB.placeHolderText: has digits, which numbers does not permit the customer.',
    ],
  ],
  ['alpha: true\n      numbers: true', 'alpha: true\n      numbers: false', []],
  ['id: "3"', 'id: "a12"', []],
  ['id: "3"', 'id: "12a"', []],
  [
    'id: "3"',
    'id: "12"',
    [
      '2:1 warning: lastFieldId: is below 12, the highest id of a field: the next field could get an id twice.',
    ],
  ],
  ['id: "3"', 'id: 12', ['32:5 error: fields[2].id: must be a string, not 12; put it in quotes.']],
  [
    '{ value: m, display: Margherita }\n        - { value: f, display: Funghi }',
    '{ value: ß, display: Straße }\n        - { value: ss, display: Strasse }',
    [],
  ],
];

test('a good file has no findings', async () => {
  expect(await check(PIZZA)).toEqual({ findings: [], summary: '0 errors, 0 warnings.' });
});

test('an error of syntax hides no other one, in any field', async () => {
  const text = changed('Favourite pizza', 'Pizza: the best')
    .replace('mandatory: true', 'mandatory: yes')
    .replace('lastFieldId: 3', 'lastFieldId: 3\nlastFieldId: 4')
    .replace('id: "3"', 'id: 2')
    .replace('subType: text\n      placeHolderText: Model', 'subType: txt');
  expect((await check(text)).findings.map((line) => line.replace(/;.*/, ''))).toEqual([
    '3:1 error: Map keys must be unique',
    '7:16 error: Nested mappings are not allowed in compact mappings',
    '22:5 error: fields[1].mandatory: must be true or false, not "yes".',
    '33:5 error: fields[2].id: must be a string, not 2',
    '44:7 error: fields[2].subFieldB.subType: must be "text" or "drop", not "txt".',
  ]);
});

test('two fields with errors of syntax are both reported', async () => {
  const text = changed('Favourite pizza', '@Pizza').replace(
    '    mandatory: true',
    '\tmandatory: true',
  );
  expect((await check(text)).findings.map((line) => line.replace(/;.*/, ''))).toEqual([
    '6:16 error: Plain value cannot start with reserved character @',
    '21:1 error: Tabs are not allowed as indentation',
  ]);
});

test.each(['note', '"note"', "'note'"])(
  'the last field with an error ends before %s',
  async (name) => {
    const { findings } = await check(
      `${changed('placeHolderText: Model', 'placeHolderText: @Model')}${name}: Ours\n`,
    );
    expect(findings.map((line) => line.replace(/;.*/, ''))).toEqual([
      '44:24 error: Plain value cannot start with reserved character @',
      '50:1 error: note: is not an attribute that the service knows',
    ]);
  },
);

test.each<[string, from: string, to: string, count: number]>([
  ['in its first line', 'id: "2"', 'id: @2', 3],
  ['in its last line', 'maxChars: 8', 'maxChars: @8', 3],
  ['in the last line of all, without a line feed', 'maxChars: 20\n', 'maxChars: @20', 2],
  ['below a comment and a blank', 'fields:\n  - id: "1"', 'fields:\n\n  # The menu\n  - id: @1', 2],
])('an error of syntax in a field, %s, hides nothing in the others', async (_, from, to, count) => {
  const text = changed(from, to)
    .replace('mandatory: false', 'mandatory: maybe')
    .replace('Car\n    mandatory: false', 'Car\n    mandatory: maybe');
  const indented = await check(text);
  expect(indented.findings).toHaveLength(count);
  // Dashes need no indentation.
  const { findings } = await check(text.replaceAll(/^ {2}/gm, ''));
  const without = ({ findings: lines }: { findings: string[] }) =>
    lines.map((line) => line.replace(/:\d+ /, ' '));
  expect(without({ findings })).toEqual(without(indented));
});

test('an attribute that is twice, below the fields, makes none of them doubtful', async () => {
  const { findings } = await check(`${changed('maxChars: 20', 'maxChars: 0')}lastFieldId: 3\n`);
  expect(findings.map((line) => line.replace(/;.*/, ''))).toEqual([
    '49:7 error: fields[2].subFieldB.maxChars: must be at least 1.',
    '50:1 error: Map keys must be unique',
  ]);
});

test('an error of syntax below the fields is told once, and blames none of them', async () => {
  expect((await check(`${PIZZA}note: @Ours\n`)).findings).toEqual([
    '50:7 error: Plain value cannot start with reserved character @; put the text in quotes.',
  ]);
});

test('a file that DynamoDB may refuse as an item has a warning', async () => {
  const text = changed('placeHolderText: Model', `placeHolderText: ${'x'.repeat(300 * 1024)}`);
  expect((await check(text)).findings).toEqual([
    '1:1 warning: has 301 KB; DynamoDB accepts 400 KB.',
    expect.stringMatching(/^44:7 warning: /),
  ]);
});

/* Each row: a text, and what to do about it. */
test.each([
  ['a: &x *y', 'put a text that begins with * in quotes'],
  ['a: & b', 'put a text that begins with & or * in quotes'],
  ['a: &x &y z', 'put a text that begins with & in quotes'],
  ['a: !x !y z', 'put a text that begins with ! in quotes'],
  ['a: !!set [x]', 'put a text that begins with ! in quotes'],
  ['&x ? a\n: b', 'put a text that begins with & or ! in quotes'],
  ['%FOO', 'remove the line that begins with %'],
  [`"${'k'.repeat(1100)}": x`, 'write a colon and a space after the name of the attribute'],
  [`a: ${'['.repeat(20_000)}`, 'write fewer lists and maps inside each other'],
  ['a: b\nc # d', 'write it there, or put a text in quotes'],
])('the remedy for %j is told', async (text, remedy) => {
  const { findings } = await check(`${text}\nclientId: pizza\nfields: []\n`);
  expect(findings[0]).toMatch(/^\d+:\d+ error: /);
  expect(findings[0]?.split('; ').at(-1)).toBe(`${remedy}.`);
});

test.each(['\n', '\r\n'])(
  'a dash may be on a line of its own, and a comment beside fields, with lines that end in %j',
  async (end) => {
    const text = changed('- id: "2"', '-\n    id: "2"')
      .replace('fields:', 'fields: # The menu')
      .replace('mandatory: true', 'mandatory: yes')
      .replace('fieldName: Car', 'fieldName: @Car');
    const { findings } = await check(text.replaceAll('\n', end));
    expect(findings.map((line) => line.replace(/;.*/, ''))).toEqual([
      '22:5 error: fields[1].mandatory: must be true or false, not "yes".',
      '35:16 error: Plain value cannot start with reserved character @',
    ]);
    const first = text.replace('- id: "1"', '-\n    id: "1"').replaceAll('\n', end);
    expect((await check(first)).findings).toHaveLength(2);
  },
);

test('a repeated value in a field with another error is not an error', async () => {
  const text = changed('mandatory: false', 'mandatory: &no false')
    .replace('mandatory: true', 'mandatory: *no')
    .replace('Favourite pizza', '@Pizza')
    .replace('maxChars: 20', 'maxChars: 0');
  expect((await check(text)).findings).toEqual([
    '6:16 error: Plain value cannot start with reserved character @; put the text in quotes.',
    '49:7 error: fields[2].subFieldB.maxChars: must be at least 1.',
  ]);
});

test('a field in which everything is wrong, many times, ends', async () => {
  const field = PIZZA.slice(PIZZA.indexOf('  - id: "2"'), PIZZA.indexOf('  - id: "3"'));
  const text = `clientId: pizza\nfields:\n${field.replace('Membership', '@').repeat(30)}`;
  expect((await check(text)).summary).toBe('20 errors, 0 warnings.');
});

test.each(BROKEN)('%j replaced by %j', async (from, to, expected) => {
  const { findings, summary } = await check(changed(from, to));
  expect(findings).toEqual(expected);
  const errors = expected.filter((line) => line.includes(' error: ')).length;
  expect(summary).toBe(summaryOf(errors, expected.length - errors));
});

function summaryOf(errors: number, warnings: number): string {
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}
