import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addCustomerDataApiStack,
  type CustomerDataApiStack,
} from '../../lib/customer-data-api-stack.ts';
import { SettingsError } from '../../lib/settings/settings.ts';
import { runFile } from '../support/processes.ts';
import { appFor } from '../support/stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { goldenTemplate } from './golden-template.ts';
import { goldenOf, PLACE, variant } from './variants.ts';

/* Mistakes that people make with stages and flags: each is refused, or changes nothing. */

const stages = await temporaryFolder();
const account = PLACE.account;
const prod = JSON.parse(await readFile(new URL('../../stages/prod.json', import.meta.url), 'utf8'));
await writeFile(join(stages, 'prod.json'), JSON.stringify({ ...prod, account }));

const stackOf = (context: Record<string, unknown>) => addCustomerDataApiStack(appFor(context));

test('a stage without a file is refused, so that the CDK does not go on with an app without stacks', async () => {
  expect(() => stackOf({ stage: 'live' })).toThrow(SettingsError);
  const context = { CDK_CONTEXT_JSON: JSON.stringify({ stage: 'live' }) };
  expect(await runFile('bin/app.ts', [], context)).toEqual({
    code: 1,
    stdout: '',
    // One line that names the file to create, without a stack trace.
    stderr: expect.stringMatching(/^[^\n]*stages\/live\.json[^\n]*\n$/),
  });
});

test("a stage of one's own, whose file is a copy of an example, is the same and may have its name", () => {
  const shop = stackOf({ stage: 'prod', stages });
  expect(shop.stackName).toBe('CustomerDataApi-prod');
  expect(goldenTemplate(shop)).toEqual(goldenOf({ account }));
});

test('a new user pool without a plan has a note about its price', () => {
  const noted = ({ node }: CustomerDataApiStack) =>
    node
      .findAll()
      .flatMap((one) => one.node.metadata)
      .filter(({ data }) => /userPoolPlan/.test(String(data)));
  expect(noted(variant({ userPoolPlan: undefined }))).toHaveLength(1);
  expect(noted(variant({ userPoolPlan: 'essentials' }))).toEqual([]);
});

test('a stage that names its account and region is deployed nowhere else, whatever the profile', () => {
  // The CDK compares them with those of the credentials.
  expect(variant(PLACE)).toMatchObject(PLACE);
});
