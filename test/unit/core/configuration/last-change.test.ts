import { expect, test } from 'vitest';
import { newLastChange, readLastChange } from '../../../../core/configuration/last-change.ts';

const CHANGE = { id: '1', by: 'me', at: '2026-11-21T09:30:00.000Z', message: 'More pizza' };

test('the last change of an item is read as it was written', () => {
  expect(readLastChange({ lastChange: CHANGE })).toEqual(CHANGE);
  const rollback = { ...CHANGE, restores: 3, removes: true };
  expect(readLastChange({ lastChange: rollback })).toEqual(rollback);
});

test.each([
  ['nothing', undefined],
  ['NULL', null],
  ['a string', 'me'],
  ['one without an id', { ...CHANGE, id: undefined }],
  ['one with an id of another type', { ...CHANGE, id: 7 }],
  ['one with a version of another type', { ...CHANGE, restores: '3' }],
])('%s is not a last change', (_, lastChange) => {
  expect(readLastChange({ lastChange })).toBeUndefined();
});

test('each new change has an id of its own, and its time', () => {
  const [one, other] = [
    newLastChange({ by: 'me', message: '' }),
    newLastChange({ by: 'me', message: '' }),
  ];
  expect(one.id).not.toBe(other.id);
  expect(new Date(one.at).toISOString()).toBe(one.at);
  expect(readLastChange({ lastChange: one })).toEqual(one);
});
