import { expect, test } from 'vitest';
import { expectUnrecorded, versionAfter } from './last-release.ts';

test.each(['0.1.0', '0.2.0-dev', '99.0.0-rc.1'])(
  '%s cannot be recorded as a release',
  (version) => {
    expect(() => expectUnrecorded(version)).toThrow(version);
  },
);

test('a new version can be recorded, and what is built after it is no release', () => {
  expect(() => expectUnrecorded('99.0.0')).not.toThrow();
  expect(versionAfter('0.1.3')).toBe('0.2.0-dev');
});
