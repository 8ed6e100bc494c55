import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { ANY_CHARACTER } from 'customer-data-api/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  parseConfigurationFile,
  schemaComment,
  writeConfiguration,
} from '../../../configurations/configuration-file.ts';

test.each([
  ['demo.yaml', './examples/configuration.schema.json'],
  ['examples/demo.yaml', './configuration.schema.json'],
  ['docs/menus/demo.yaml', '../../examples/configuration.schema.json'],
])('editors find the schema of %s at %s', (name, path) => {
  expect(schemaComment(name)).toBe(`# yaml-language-server: $schema=${path}\n`);
});

test.each([
  ['that of JavaScript', Number, '9007199254740991 -9007199254740991 0.123456789012345 1.50 -1.5'],
  ['that of JavaScript', Number, '0.00123456789012345 123456789012345e-1 123456789012345E-1'],
  ['that of JavaScript', Number, '0.1234567890123456 1.234567890123456E3 1e-9 +1.0e2 .5 1. -0'],
  ['all its digits', NumberValue.from, '9007199254740993 -9007199254740993 9007199254740994'],
  ['all its digits', NumberValue.from, '-0.12345678901234567 1e400 -1e400 .12345678901234567'],
  ['all its digits', NumberValue.from, '3628705197934367.75 +0.12345678901234567 1e-400'],
])('a number is %s', (_, meaning, texts) => {
  for (const text of texts.split(' ')) {
    const { file } = parseConfigurationFile(`lastFieldId: ${text}\n`);
    expect(file?.content).toEqual({ lastFieldId: meaning(text) });
  }
});

test('what is written is the same to readers of YAML 1.1 and 1.2', () => {
  const odd = fc.constantFrom(
    'NO',
    'on',
    'y',
    'N',
    'Off',
    '~',
    'Null',
    '=',
    '<<',
    '12:30',
    '190:20:30.15',
    '1_000',
    '017',
    '0o17',
    '0b11',
    '0x1F',
    '1e3',
    '.5',
    '1.',
    '.inf',
    '-.INF',
    '.NaN',
    '2024-01-01',
    '+1',
    '-',
    '?',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\ufffe',
    '\t',
    '\u00a0',
    '\u3000',
    '...',
    '---',
    '#',
    '&a',
    '! b',
  );
  const like = fc.stringMatching(/^[-+]?[0-9_.:oxbeE]{1,8}$/);
  const text = fc.oneof(
    odd,
    like,
    fc.string({ unit: ANY_CHARACTER }),
    fc.tuple(odd, odd).map((two) => two.join('\n')),
  );
  const number = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(1e-7, 1.5e-10, 0.5));
  fc.assert(
    fc.property(text, text, number, (name, value, weight) => {
      fc.pre(name !== '__proto__');
      const content = { fields: [{ [`${name}k`]: [value], [name]: value }, { weight }] };
      const written = writeConfiguration(content);
      expect(parse(written, { version: '1.1' })).toEqual(content);
      expect(parseConfigurationFile(written)).toMatchObject({ findings: [], file: { content } });
    }),
  );
});

test.each([
  ['lists in brackets', (levels: number) => `fields: ${'['.repeat(levels)}${']'.repeat(levels)}`],
  ['lists in lines', (levels: number) => `fields:\n${'- '.repeat(levels)}a`],
  ['maps in braces', (levels: number) => `fields: ${'{a: '.repeat(levels)}${'}'.repeat(levels)}`],
  [
    'aliases',
    (levels: number) =>
      Array.from({ length: levels }, (_, at) => `a${at}: &a${at} [${at ? `*a${at - 1}` : ''}]`),
  ],
])('%s of 32 levels are read, and more are refused at once', (_, nested) => {
  const read = (levels: number) => parseConfigurationFile([nested(levels)].flat().join('\n'));
  expect(read(32).findings).toEqual([]);
  for (const levels of [33, 2000]) {
    expect(read(levels).findings).toMatchObject([{ severity: 'error', code: 'syntax' }]);
  }
});
