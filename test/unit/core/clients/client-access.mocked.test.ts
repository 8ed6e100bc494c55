import type * as crypto from 'node:crypto';
import { timingSafeEqual } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { type ConfigsItem, meantAttribute } from '../../../../core/client-attributes.ts';
import { accessLists, admission, hasAppId } from '../../../../core/clients/client-access.ts';
import { RULES } from '../../../support/access-rules.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
afterEach(() => {
  vi.clearAllMocks();
});

const record = (item: ConfigsItem) => admission('demo', accessLists(item), RULES);

test('a record contains only the digests of App-Ids', () => {
  expect(JSON.stringify(record({ appIds: ['secret-key'] }))).not.toContain('secret');
});

test.each(['first', 'second', 'third', 'none'])(
  'the time of a check does not tell which key of a client it was: %s',
  (appId) => {
    expect(hasAppId(record({ appIds: ['first', 'second', 'third'] }), appId)).toBe(
      appId !== 'none',
    );
    expect(timingSafeEqual).toHaveBeenCalledTimes(3);
  },
);

test('an attribute of a field, misspelled or not, is not meant to be one of the client', () => {
  const names = ['appUIs', 'appUI', 'appId'];
  expect(names.map(meantAttribute)).toEqual([undefined, undefined, 'appIds']);
});
