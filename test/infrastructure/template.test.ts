import { expect, test } from 'vitest';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { SettingsSchema } from '../../lib/settings/settings.ts';
import { appFor } from '../support/stack.ts';
import { differences, goldenTemplate, inShort } from './golden-template.ts';
import { goldenOf, PLACE, VARIANTS } from './variants.ts';

/*
 * What a deployment consists of. `npx vitest -u` writes the golden files: review their changes as
 * you review code.
 */

const ofStage = (stage: string) => goldenTemplate(addCustomerDataApiStack(appFor({ stage })));
const prod = ofStage('prod');

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
