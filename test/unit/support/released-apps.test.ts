import { expect, test } from 'vitest';
import { releasedDocuments, releaseOf } from '../../support/released-apps.ts';

test('apps decode integers of 32 bits, and of 64 bits if the document says so', async () => {
  const [oldest] = await releasedDocuments();
  const decodes = (lastFieldId: number) =>
    oldest?.decodes('Configuration', { fields: [], lastFieldId });
  expect([2 ** 31 - 1, -(2 ** 31)].map(decodes)).toEqual([true, true]);
  expect([2 ** 31, -(2 ** 31) - 1].map(decodes)).toEqual([false, false]);

  const schemas = {
    Small: { type: 'integer', minimum: 1, maximum: 9 },
    Large: { type: 'integer', format: 'int64', maximum: 2 ** 53 - 1 },
  };
  const release = releaseOf('0.0.9', { components: { schemas } });
  expect([0, 1, 9, 10].map((value) => release.decodes('Small', value))).toEqual([
    ...[false, true, true, false],
  ]);
  expect(release.decodes('Large', 2 ** 53 - 1)).toBe(true);
});
