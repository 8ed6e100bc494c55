import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, inject, test } from 'vitest';
import { PLACE, VARIANTS, variant } from './variants.ts';

/* The rules of cdk-nag. The golden files list those that a stage breaks on purpose. */

test.each(Object.entries({ prod: {}, 'prod in an account': PLACE, ...VARIANTS }))(
  'a stage with the settings %s breaks no other rule',
  (_, changed) => {
    const { violations } = new AwsSolutionsChecks().validateScope(variant(changed));
    expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
  },
);

test('cdk-nag checks each synthesis', async () => {
  // The validation of the CDK is off for this assembly, so there is a report only because of cdk-
  // nag.
  const file = join(inject('cloudAssembly'), 'validation-report.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pluginReports: [] });
});
