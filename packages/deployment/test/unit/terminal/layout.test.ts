import { expect, test, vi } from 'vitest';
import { suggesting } from '../../../program/suggestion.ts';
import { wrap } from '../../../terminal/layout.ts';

test.each<[string, number, string, string[]]>([
  ['one two', 7, '', ['one two']],
  ['one two', 6, '', ['one', 'two']],
  ['one two', 9, '  ', ['  one two']],
  ['one two', 8, '  ', ['  one', '  two']],
  ['one twothree', 5, '', ['one', 'twoth', 'ree']],
  ['one', 2, '    ', ['    o', '    n', '    e']],
  ['', 80, '  ', ['']],
  ['😀😀', 1, '', ['😀', '😀']],
])('a text is broken: %j for %d columns with the indent %j', (text, columns, indent, expected) => {
  expect(wrap(text, columns, indent)).toEqual(expected);
});

test.each([
  [undefined, './customer-data'],
  ['C:\\Windows\\system32\\cmd.exe', '.\\customer-data'],
])('a suggested command stays in one line, however long: %j', (started, program) => {
  vi.stubEnv('CUSTOMER_DATA_CMD', started);
  const words = ['config', 'show', 'demo', 'x'.repeat(80)];
  const command = `${program} ${words.join(' ')}`;
  expect(wrap(suggesting('To see it:', ...words), 80, '  ')).toEqual([
    '  To see it:',
    `  ${command}`,
  ]);
  vi.unstubAllEnvs();
});
