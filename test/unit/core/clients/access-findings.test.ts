import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConfigsItem } from '../../../../core/client-attributes.ts';
import { accessFindings } from '../../../../core/clients/access-findings.ts';
import { readAccessLists } from '../../../../core/clients/client-access.ts';

const findingsIn = (item: ConfigsItem) =>
  accessFindings({ item, access: readAccessLists(item) }, false);
const codesOf = (item: object) =>
  findingsIn({ userPoolClientIds: ['app'], ...item }).map(
    ({ severity, code, path }) => `${severity} ${code} ${path}`,
  );

/** What people and programs write around a value. */
const WRAPS: readonly ((key: string) => string)[] = [
  (key) => `"${key}"`,
  (key) => `'${key}'`,
  (key) => `\`${key}\``,
  (key) => `"${key}`,
  (key) => `${key}'`,
  (key) => `"${key}",`,
  (key) => `\\"${key}\\"`,
  (key) => `<${key}>`,
  (key) => `(${key})`,
  (key) => `[${key}]`,
  (key) => JSON.stringify([key]),
  (key) => JSON.stringify([key, `${key}2`]),
  (key) => JSON.stringify({ S: key }),
  (key) => JSON.stringify({ appId: key }, null, 1).replaceAll('\n', ''),
  (key) => `b'${key}'`,
  // One of several in brackets, which were split at their commas.
  (key) => `[${key}`,
  (key) => `${key})`,
  (key) => `{${key}`,
  (key) => `${key};`,
  (key) => `«${key}»`,
  (key) => `´${key}´`,
  (key) => `&quot;${key}&quot;`,
  (key) => `%22${key}%22`,
  (key) => `%27${key}%27`,
  (key) => `appId=${key}`,
];
const Key = fc.oneof(fc.uuid(), fc.stringMatching(/^[\w+/-]{8,30}={0,2}$/));

test('an App-Id with what belongs around it is an error, however it is stored', () => {
  fc.assert(
    fc.property(Key, fc.constantFrom(...WRAPS), (key, wrap) => {
      for (const appIds of [[wrap(key)], new Set([wrap(key), 'other'])]) {
        expect(codesOf({ appIds })).toEqual(['error wrappedAppId appIds']);
      }
      const messages = findingsIn({ appIds: [wrap(key)] }).map(({ message }) => message);
      expect(messages.join()).not.toContain(key);
    }),
  );
});

test('nobody gets in by the id of an app client in quotes, brackets or JSON', () => {
  fc.assert(
    fc.property(Key, fc.constantFrom(...WRAPS), (key, wrap) => {
      const appIds = ['key'];
      expect(codesOf({ appIds, userPoolClientIds: [wrap(key)] })).toEqual([
        'error lockedOut userPoolClientIds',
      ]);
      expect(codesOf({ appIds, userPoolClientIds: [wrap(key), 'app'] })).toEqual([
        'error wrappedAppId userPoolClientIds',
      ]);
    }),
  );
});

test('an App-Id with a character that no header has is not sent', () => {
  const Letter = fc.constantFrom('К', '“', '”', '–', '…', '鍵', '🔑', 'ı');
  fc.assert(
    fc.property(Key, Letter, fc.nat(8), (key, letter, at) => {
      const appId = key.slice(0, at) + letter + key.slice(at);
      expect(codesOf({ appIds: [appId] })).toEqual(['error lockedOut appIds']);
      expect(codesOf({ appIds: [appId, 'other'] })).toEqual(['warning unsendableAppId appIds']);
    }),
  );
});

test('any other App-Id is good', () => {
  fc.assert(
    fc.property(Key, (key) => {
      for (const appId of [
        key,
        `${key}[0]`,
        `app{${key}}x`,
        `it's-${key}`,
        `${key}(<1>)`,
        `${key}|${key}`,
        `urn:app:${key}`,
      ]) {
        expect(codesOf({ appIds: [appId] })).toEqual([]);
      }
    }),
  );
});
