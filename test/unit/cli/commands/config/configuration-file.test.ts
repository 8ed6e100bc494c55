import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import {
  parseConfigurationFile,
  schemaComment,
} from '../../../../../cli/commands/config/configuration-file.ts';

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
  ['all its digits', NumberValue.from, '9007199254740993 -9007199254740993 0.1234567890123456'],
  ['all its digits', NumberValue.from, '-0.1234567890123456 1e400 -1e400 .1234567890123456'],
  [
    'all its digits',
    NumberValue.from,
    '1234567890123456.5 +0.1234567890123456 1.234567890123456E3',
  ],
])('a number is %s', (_, meaning, texts) => {
  for (const text of texts.split(' ')) {
    const { file } = parseConfigurationFile(`lastFieldId: ${text}\n`);
    expect(file?.content).toEqual({ lastFieldId: meaning(text) });
  }
});
