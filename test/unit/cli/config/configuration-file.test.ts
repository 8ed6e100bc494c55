import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseConfigurationFile,
  schemaComment,
  writeConfiguration,
} from '../../../../cli/config/configuration-file.ts';

const file = (...fields: string[]) => `clientId: a\nfields:\n${fields.join('')}`;

test.each([
  ['below', file('  - mandatory: *no\n', '  - mandatory: &no false\n')],
  ['in a caption', file('  - mandatory: *no\n    fieldName: "Say &no"\n')],
  ['in a comment', file('  # &no\n  - mandatory: *no\n')],
  ['of which it is a part', file('  - mandatory: &none false\n', '  - mandatory: *no\n')],
])('an alias repeats no value with a name that is only %s', (_, text) => {
  const { problems } = parseConfigurationFile(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain('*no repeats a value above it that has no name');
});

test('an alias of a name below a field that was left out is a problem of its own', () => {
  const { problems, unread } = parseConfigurationFile(
    file('  - mandatory: *no\n', '  - mandatory: &no false\n    fieldName: @Car\n'),
  );
  expect(problems.map(({ line }) => line)).toEqual([3, 5]);
  expect(unread.toSorted()).toEqual([0, 1]);
});

test('problems are told from top to bottom, in whichever order they are found', () => {
  const text = `clientId: *no\n${file('  - fieldName: @Car\n')}`;
  const { problems, file: read } = parseConfigurationFile(text);
  expect(problems.map(({ line }) => line)).toEqual([1, 4]);
  expect(read).toBeUndefined();
});

const part = fc.constantFrom(
  ...['a: *no', 'a: &no x', 'a: "&no"', 'a: x # &no', 'a: @x', 'a: x: y', 'a: &none x', 'a: "x'],
);

test('a field is only unread if a problem says why', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const { problems, unread } = parseConfigurationFile(
        file(...parts.map((one) => `  - ${one}\n`)),
      );
      if (unread.length > 0) expect(problems).not.toEqual([]);
    }),
  );
});

test.each([
  ['demo.yaml', './examples/configuration.schema.json'],
  ['examples/demo.yaml', './configuration.schema.json'],
  ['docs/menus/demo.yaml', '../../examples/configuration.schema.json'],
])('editors find the schema of %s at %s', (name, path) => {
  expect(schemaComment(name)).toBe(`# yaml-language-server: $schema=${path}\n`);
});

test('a configuration is written in the order in which people read it, and with whole lines', () => {
  const caption = 'A caption '.repeat(12).trim();
  const text = `clientId: a
base: abc
lastFieldId: 12345678901234567890
fields:
  - id: "1"
    fieldType: combo
    fieldName: ${caption}
    mandatory: true
    appUIs: []
    allowMultiple: true
    addButtonText: More
    subFieldA:
      subType: drop
      placeHolderText: Choose
      allowCopies: true
      alpha: true
      numbers: true
      symbols: true
      maxChars: 1
      options: ""
      optionsArray:
        - value: v
          display: Volvo
    subFieldB: {}
    ant: null
    zebra: 1
`;
  const { content } = parseConfigurationFile(text).file ?? {};
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards);
    if (typeof value !== 'object' || value === null || value instanceof NumberValue) return value;
    const entries = Object.entries(value).toReversed();
    return Object.fromEntries(entries.map(([name, part]) => [name, backwards(part)]));
  };
  expect(writeConfiguration(content)).toBe(text);
  expect(writeConfiguration(backwards(content))).toBe(text);
});

test('a binary value, which no configuration has a use for, is written as its bytes', () => {
  expect(writeConfiguration({ clientId: 'a', photo: new Uint8Array([7, 8]) })).toBe(
    'clientId: a\nphoto:\n  - 7\n  - 8\n',
  );
});

test('of a file with many problems, the first twenty are told', () => {
  const fields = (count: number) => file(...Array(count).fill('  - fieldName: @Car\n'));
  expect(parseConfigurationFile(fields(19)).problems).toHaveLength(19);
  const { problems, file: read } = parseConfigurationFile(fields(25));
  expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 3));
  expect(read).toBeUndefined();
});

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', '9007199254740993'],
  ['0.123456789012345', 0.123_456_789_012_345],
  ['0.1234567890123456', '0.1234567890123456'],
  ['1.50', 1.5],
  ['1e400', '1e400'],
  ['-9007199254740991', -9_007_199_254_740_991],
  ['-9007199254740993', '-9007199254740993'],
  ['-0.1234567890123456', '-0.1234567890123456'],
  ['-1.5', -1.5],
  ['-1e400', '-1e400'],
  ['0.00123456789012345', 0.001_234_567_890_123_45],
  ['123456789012345e-1', 12_345_678_901_234.5],
  ['123456789012345E-1', 12_345_678_901_234.5],
  ['.1234567890123456', '.1234567890123456'],
  ['1234567890123456.5', '1234567890123456.5'],
  ['+0.1234567890123456', '+0.1234567890123456'],
  ['1.234567890123456E3', '1.234567890123456E3'],
])('the number %s keeps all its digits', (text, expected) => {
  const { content } = parseConfigurationFile(`lastFieldId: ${text}\n`).file ?? {};
  const { lastFieldId } = content as { lastFieldId: number | { value: string } };
  expect(typeof lastFieldId === 'number' ? lastFieldId : lastFieldId.value).toBe(expected);
});
