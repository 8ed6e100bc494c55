import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { columnsOf, wrap } from '../../../../cli/terminal/wrap-text.ts';

describe('wrap', () => {
  test.each<[string, number, string, string[]]>([
    ['one two', 7, '', ['one two']],
    ['one two', 6, '', ['one', 'two']],
    ['one two', 9, '  ', ['  one two']],
    ['one two', 8, '  ', ['  one', '  two']],
    ['one twothree', 5, '', ['one', 'twoth', 'ree']],
    ['one', 2, '    ', ['    o', '    n', '    e']],
    ['', 80, '  ', ['']],
    ['😀😀', 1, '', ['😀', '😀']],
  ])('breaks %j for %d columns with the indent %j', (text, columns, indent, expected) => {
    expect(wrap(text, columns, indent)).toEqual(expected);
  });
});

test('lines are as long as the terminal is wide, and stay whole in a pipe', () => {
  const output = (properties: object) => Object.assign(new Writable(), properties);
  expect(columnsOf(output({ isTTY: true, columns: 33 }))).toBe(33);
  expect(columnsOf(output({ isTTY: true }))).toBe(80);
  expect(columnsOf(output({ columns: 33 }))).toBe(Number.POSITIVE_INFINITY);
});
