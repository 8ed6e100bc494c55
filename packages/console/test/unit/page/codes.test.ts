import { expect, test } from 'vitest';
import type { Codes } from '../../../page/src/answers.ts';
import { joined } from '../../../page/src/codes/counts.ts';

test('the parts of a search are joined, the newest first', () => {
  const part = (times: readonly string[]): Codes => ({
    events: times.map((receivedAt) => ({ receivedAt })),
    found: times.length + 1,
    applied: times.length,
    repeated: 1,
    users: 0,
    otherCodes: [],
    read: 10,
    waiting: 0,
    deadLetters: 0,
  });
  const both = joined(part(['1', '3']), part(['2', '3']));
  expect(both.events.map(({ receivedAt }) => receivedAt)).toEqual(['3', '3', '2', '1']);
  expect(both).toMatchObject({ found: 6, applied: 4, repeated: 2, read: 20 });
});
