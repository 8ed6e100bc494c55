import { expect, test } from 'vitest';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import {
  baseOf,
  misspelledDigest,
  readBase,
} from '../../../../core/configuration/stored-configuration.ts';

const content = { lastFieldId: { N: '3' } };
const digest = contentDigest(content);
const base = (misspelled: Parameters<typeof misspelledDigest>[0]) =>
  baseOf({ clientId: 'pizza', content, misspelled });

test('the base of a draft is what the history knows of the content', () => {
  expect(base({})).toBe(digest);
  expect(readBase(digest)).toEqual({ digest, misspelled: undefined });
});

test('attributes that look misspelled are part of the base, with their values', () => {
  const misspelled = { feilds: { L: [] } };
  expect(readBase(base(misspelled))).toEqual({ digest, misspelled: misspelledDigest(misspelled) });
  expect(base(misspelled)).toMatch(/^[0-9a-f]{64}\+[0-9a-f]{64}$/);
  expect(base({ feilds: { L: [{ S: 'x' }] } })).not.toBe(base(misspelled));
  expect(base({ fieldz: { L: [] } })).not.toBe(base(misspelled));
});
