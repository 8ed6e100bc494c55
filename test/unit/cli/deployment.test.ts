import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, findDeployment, nameOf } from '../../../cli/deployment.ts';
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

test('a deployment of a file has its stack, the file, and the options that name it', async () => {
  const outputsFile = join(folder, 'outputs.json');
  expect(await deploymentWith({})).toEqual({
    ...{ stackName: 'CustomerDataApi-prod', outputs: OUTPUTS, outputsFile },
    ...{ isProduction: true, requiresUserPoolClientIds: false },
    options: `--outputs ${relative('', outputsFile)}`,
  });
});

test('sentences name the stack and its region, or the local server', async () => {
  const name = (outputs: Partial<Outputs>) =>
    nameOf({
      stackName: 'CustomerDataApi-prod',
      outputs: { ...OUTPUTS, Region: 'eu-north-1', ...outputs },
    } as Deployment);
  expect(name({})).toBe('CustomerDataApi-prod, eu-north-1');
  expect(name(LOCAL)).toBe('the local server');
});
