import { expect, test } from 'vitest';
import { SettingsSchema } from '../../lib/settings/settings.ts';
import { differences, inShort } from './golden-template.ts';
import { goldenOf, PLACE, prodStage, VARIANTS } from './variants.ts';

/*
 * What a deployment consists of. `npx vitest -u` writes the golden files: review their changes as
 * you review code.
 */

const { golden: prod } = prodStage;

test('stage prod consists of what its golden file has', async () => {
  await expect(inShort(prod)).toMatchFileSnapshot('golden/prod.txt');
});

test.each(Object.entries(VARIANTS))(
  'settings change what the golden file %s.diff has, and nothing else',
  async (name, changed) => {
    const diff = differences(prod, goldenOf(changed));
    await expect(diff).toMatchFileSnapshot(`golden/${name}.diff`);
  },
);

test('each setting is changed in one of them', () => {
  const changed = [PLACE, ...Object.values(VARIANTS)].flatMap(Object.keys);
  const { $schema, ...settings } = SettingsSchema.entries;
  expect(Object.keys(settings).filter((name) => !changed.includes(name))).toEqual([]);
});
