import { expect, test } from 'vitest';
import { UsageError } from '../../../core/platform/command-error.ts';
import { readEventPattern } from '../../../local/event-pattern.ts';

const matches = (pattern: object, event: object) =>
  readEventPattern(JSON.stringify(pattern))(event);

test.each([
  ['one of the values', { a: ['x', 'y'] }, { a: 'y' }, { a: 'z' }],
  ['a value of the same type', { a: [1] }, { a: 1 }, { a: '1' }],
  ['all fields', { a: ['x'], b: ['y'] }, { a: 'x', b: 'y' }, { a: 'x', b: 'z' }],
  ['a nested field', { a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
  ['an element of a list', { a: ['x'] }, { a: ['w', 'x'] }, { a: ['w'] }],
  ['null', { a: [null] }, { a: null }, {}],
  ['a prefix', { a: [{ prefix: 'smoke-' }] }, { a: 'smoke-1' }, { a: 'a-smoke-1' }],
  ['a suffix', { a: [{ suffix: '.png' }] }, { a: 'x.png' }, { a: 'x.png.txt' }],
  ['a field that exists', { a: [{ exists: true }] }, { a: 0 }, { b: 0 }],
  ['a field that does not exist', { a: { b: [{ exists: false }] } }, { c: 0 }, { a: { b: 0 } }],
  ['anything but a value', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, { a: 'x' }],
  ['anything but some values', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, { a: 'y' }],
  [
    'anything but a prefix',
    { a: [{ 'anything-but': { prefix: 'smoke-' } }] },
    { a: 'demo' },
    { a: 'smoke-1' },
  ],
  ['anything but a value, if there is one', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, {}],
])('matches %s', (_, pattern, matching, other) => {
  expect(matches(pattern, matching)).toBe(true);
  expect(matches(pattern, other)).toBe(false);
});

test.each<[object, unknown]>([
  [{ a: [{ wildcard: 'x*' }] }, { wildcard: 'x*' }],
  [{ a: [{ prefix: { 'equals-ignore-case': 'x' } }] }, { prefix: { 'equals-ignore-case': 'x' } }],
  [{ a: [{ suffix: 1 }] }, { suffix: 1 }],
  [{ a: ['x', { prefix: 'x', suffix: 'y' }] }, { prefix: 'x', suffix: 'y' }],
  [{ a: [{ exists: 'yes' }] }, { exists: 'yes' }],
  [{ a: [{ 'anything-but': { wildcard: 'x*' } }] }, { wildcard: 'x*' }],
  [{ a: ['x'], $or: [{ a: ['x'] }] }, { $or: [{ a: ['x'] }] }],
  [{ a: 'x' }, 'x'],
  [{ a: [] }, []],
  [{ a: {} }, {}],
  [{}, {}],
])('refuses what it does not know, and names it: %j', (pattern, unknown) => {
  expect(() => readEventPattern(JSON.stringify(pattern))).toThrow(
    new UsageError(
      `The local event bus does not know this part of an event pattern: ${JSON.stringify(unknown)}`,
    ),
  );
});

test('refuses text that is not JSON', () => {
  expect(() => readEventPattern('{')).toThrow('The event pattern is not JSON: {');
});
