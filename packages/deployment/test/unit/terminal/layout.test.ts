import { expect, test } from 'vitest';
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
