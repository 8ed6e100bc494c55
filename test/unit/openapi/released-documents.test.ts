import { expect, test } from 'vitest';
import { newestRelease } from '../../../openapi/released-documents.ts';

test('the newest release is the one with the highest version', () => {
  const names = ['README.md', '0.9.0.json', '0.10.0.json', '0.2.1.json', 'accepted.txt'];
  expect(newestRelease(names)).toBe('0.10.0.json');
  expect(newestRelease(names.toReversed())).toBe('0.10.0.json');
  expect(newestRelease(['1.0.0.json', '0.10.0.json'])).toBe('1.0.0.json');
});

test('without a released document there is nothing to compare with', () => {
  expect(() => newestRelease(['README.md'])).toThrow('There is no released document');
});
