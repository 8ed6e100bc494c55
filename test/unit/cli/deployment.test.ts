import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDeployment } from '../../../cli/deployment.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { OUTPUTS } from '../../support/outputs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function deploymentWith(outputs: Partial<Outputs>) {
  const file = join(folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-prod': { ...OUTPUTS, ...outputs } }));
  return findDeployment({ outputs: file });
}

const LOCAL = { JwksUri: 'http://127.0.0.1:1' };

test.each<[string, boolean, Partial<Outputs>]>([
  ['retains data', true, { RetainsData: 'true' }],
  ['does not retain data', false, { RetainsData: 'false' }],
  ['does not say yet whether it retains data', true, {}],
  ['is the local server, of a stage that retains data', false, { RetainsData: 'true', ...LOCAL }],
])('for a deployment that %s, isProduction is %j', async (_, expected, outputs) => {
  expect((await deploymentWith(outputs)).isProduction).toBe(expected);
});

test.each<[string, boolean, Partial<Outputs>]>([
  ['requires userPoolClientIds', true, { RequiresUserPoolClientIds: 'true' }],
  ['does not require them', false, { RequiresUserPoolClientIds: 'false' }],
  ['does not say yet whether it requires them', false, {}],
])('for a deployment that %s, requiresUserPoolClientIds is %j', async (_, expected, outputs) => {
  expect((await deploymentWith(outputs)).requiresUserPoolClientIds).toBe(expected);
});
