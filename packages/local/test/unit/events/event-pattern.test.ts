import { randomUUID } from 'node:crypto';
import { UsageError } from 'customer-data-api-deployment/program';
import { expect, test } from 'vitest';
import { readEventPattern } from '../../../events/event-pattern.ts';

test.each<[pattern: object, matching: object, other: object]>([
  [{ a: ['x', 'y'] }, { a: 'y' }, { a: 'z' }],
  [{ a: [1] }, { a: 1 }, { a: '1' }],
  [
    { a: ['x'], b: ['y'] },
    { a: 'x', b: 'y' },
    { a: 'x', b: 'z' },
  ],
  [{ a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
  [{ a: ['x'] }, { a: ['w', 'x'] }, { a: ['w'] }],
  [{ a: [null] }, { a: null }, {}],
  [{ a: [{ prefix: 'smoke-' }] }, { a: 'smoke-1' }, { a: 'a-smoke-1' }],
  [{ a: [{ suffix: '.png' }] }, { a: 'x.png' }, { a: 'x.png.txt' }],
  [{ a: [{ 'equals-ignore-case': 'Xy' }] }, { a: 'xY' }, { a: 'xyz' }],
  [
    { a: { b: ['x'], $or: [{ c: ['y'] }, { d: ['z'] }] } },
    { a: { b: 'x', d: 'z' } },
    { a: { d: 'z' } },
  ],
  [{ $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, { a: 'y', b: 'x' }],
  [{ a: [{ exists: true }] }, { a: 0 }, { b: 0 }],
  [{ a: { b: [{ exists: false }] } }, { c: 0 }, { a: { b: 0 } }],
  [{ a: [{ exists: false }] }, { a: { b: 0 } }, { a: 0 }],
  [{ a: [{ exists: true }] }, { a: null }, { a: { b: 0 } }],
  [{ a: [{ 'anything-but': 'x' }] }, { a: 0 }, { a: { b: 0 } }],
  [{ a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, { a: 'y' }],
  [{ a: [{ 'anything-but': { prefix: 'x' } }] }, { a: 'y' }, { a: 'x1' }],
  [{ a: [{ 'anything-but': 'x' }] }, { a: 'y' }, {}],
  [{ a: [{ wildcard: 'x*y.*' }] }, { a: 'xzy.' }, { a: 'xyz' }],
  [{ a: [{ wildcard: '*' }] }, { a: 'x\ny' }, { a: 1 }],
  ...['smoke-house', 'smoke-a-b-c-d', 'a-smoke-1-2-3-4-5'].map((a): [object, object, object] => [
    { a: [{ 'anything-but': { wildcard: 'smoke-*-*-*-*-*' } }] },
    { a },
    { a: `smoke-${randomUUID()}` },
  ]),
])('%j matches %j, but not %j', (pattern, matching, other) => {
  const matches = readEventPattern(JSON.stringify(pattern));
  expect([matching, other].map(matches)).toEqual([true, false]);
});

test.each([
  { a: [{ wildcard: 'x**' }] },
  { a: [{ wildcard: 'x\\*' }] },
  { a: [{ wildcard: ['x*'] }] },
  { a: [{ prefix: { 'equals-ignore-case': 'x' } }] },
  { a: ['x', { prefix: 'x', suffix: 'y' }] },
  { a: [{ 'anything-but': { wildcard: 1 } }] },
  { a: ['x'], $or: { a: ['x'] } },
  { $or: [] },
  { $or: [{ a: 'x' }] },
  { a: 'x' },
  { a: [] },
  { a: {} },
  {},
])('%j has what it does not know, and is refused instead of guessed', (pattern) => {
  expect(() => readEventPattern(JSON.stringify(pattern))).toThrow(UsageError);
});
