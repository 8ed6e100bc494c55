import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  lastReleasedDocument,
  newestRelease,
  releasesIn,
} from '../../../openapi/released-documents.ts';

test('the newest release is the one with the highest version', () => {
  const names = ['README.md', '0.9.0.json', '0.10.0.json', '0.2.1.json', 'accepted.txt'];
  expect(newestRelease(names)).toBe('0.10.0.json');
  expect(newestRelease(names.toReversed())).toBe('0.10.0.json');
  expect(newestRelease(['1.0.0.json', '0.10.0.json'])).toBe('1.0.0.json');
});

test('without a released document there is nothing to compare with', () => {
  expect(() => newestRelease(['README.md'])).toThrow('There is no released document');
});

test('only documents that are named after a version are releases', () => {
  const others = ['v9.0.0.json', '9.0.json', '9.0.0.json.orig', '9.0.0xjson', '9.0.0-rc.json'];
  expect(releasesIn(['1.0.0.json', ...others, '0.10.0.json'])).toEqual([
    '0.10.0.json',
    '1.0.0.json',
  ]);
});

test('the last release is a document in openapi/releases, of that version', async () => {
  const file = await lastReleasedDocument();
  const [, version] = /\/openapi\/releases\/(.*)\.json$/.exec(file) ?? [];
  expect(JSON.parse(await readFile(file, 'utf8')).info.version).toBe(version);
});
