import { expect, test } from 'vitest';
import { newestRelease, releasesIn } from '../../support/released-documents.ts';

test('releases are documents that are named after a version, and the newest one has the highest', () => {
  const others = ['README.md', 'v9.0.0.json', '9.0.json', '9.0.0xjson', '9.0.0.json.orig'];
  const names = ['0.9.0.json', '0.10.0.json', '0.2.1.json', ...others];
  expect(releasesIn(names)).toEqual(['0.2.1.json', '0.9.0.json', '0.10.0.json']);
  for (const listed of [names, names.toReversed()])
    expect(newestRelease(listed)).toBe('0.10.0.json');
  expect(() => newestRelease(others)).toThrow();
});
