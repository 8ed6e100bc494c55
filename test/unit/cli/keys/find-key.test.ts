import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findKey } from '../../../../cli/keys/find-key.ts';
import { keyDigest } from '../../../../core/clients/key-digest.ts';
import { CommandError } from '../../../../core/platform/command-error.ts';

const APP_ID = 'an-app-id';
const digestOf = (appId: string) => createHash('sha256').update(appId).digest('hex');
const DIGEST = digestOf(APP_ID);
/** Two App-Ids whose digests start with the same eight digits. */
const ALIKE = ['app-id-7883', 'app-id-57018'] as const;

describe('a key is named', () => {
  test.each([
    ['by its App-Id', APP_ID],
    ['as keys list shows it', keyDigest(APP_ID)],
    ['by more digits of its digest', DIGEST.slice(0, 20)],
    ['by all of them', DIGEST],
  ])('%s', (_, text) => {
    expect(findKey(['another', APP_ID], text, 'pizza')).toBe(APP_ID);
  });

  test.each([
    ['fewer than eight digits of its digest', DIGEST.slice(0, 7)],
    ['other digits', `${DIGEST.slice(0, 8)}0${DIGEST[8] === '0' ? '1' : ''}`],
    ['the end of its digest', DIGEST.slice(-8)],
    ['digits in capitals', DIGEST.slice(0, 12).toUpperCase()],
    ['nothing', ''],
  ])('not by %s', (_, text) => {
    expect(() => findKey(['another', APP_ID], text, 'pizza')).toThrow(
      new CommandError(
        `The client pizza has no such key; it has only the keys ${['another', APP_ID].map(keyDigest).toSorted().join(', ')}.`,
        'noSuchKey',
      ),
    );
  });
});

test('two keys with the same digits are told apart by more of them, and neither is taken', () => {
  const [one, other] = ALIKE;
  const [digits, another] = ALIKE.map(keyDigest);
  expect(digits).toBe(another);
  expect(() => findKey(ALIKE, String(digits), 'pizza')).toThrow(
    new CommandError(
      `The client pizza has several keys that start with ${digits}. Give more digits of the digest.`,
      'noSuchKey',
    ),
  );
  for (const appId of [one, other]) {
    expect(findKey(ALIKE, digestOf(appId).slice(0, 12), 'pizza')).toBe(appId);
    expect(findKey(ALIKE, appId, 'pizza')).toBe(appId);
  }
});

test('an App-Id that looks like the digest of another one is that key', () => {
  expect(findKey([APP_ID, DIGEST], DIGEST, 'pizza')).toBe(DIGEST);
});

test('a client without keys is told so', () => {
  expect(() => findKey([], 'any', 'pizza')).toThrow(/ has no such key; it has no keys\.$/);
});
