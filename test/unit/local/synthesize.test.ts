import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { readCloudAssembly } from '../../../local/synthesize.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), JSON.stringify(content));
const STACK = { type: 'aws:cloudformation:stack' };

test('the stack of a cloud assembly is read with the folder of each asset, wherever it would be uploaded', async () => {
  const asset = (path: string, ...objectKeys: string[]) => ({
    source: { path },
    destinations: Object.fromEntries(objectKeys.map((objectKey) => [objectKey, { objectKey }])),
  });
  const others = { Tree: { type: 'cdk:tree' }, 'Stack.assets': { type: 'cdk:asset-manifest' } };
  await write('manifest.json', { artifacts: { ...others, Stack: STACK } });
  await write('Stack.assets.json', {
    files: { a: asset('a', 'a.zip', 'a2.zip'), b: asset('b', 'b.zip') },
  });
  await write('Stack.template.json', { Resources: {}, Outputs: { ApiUrl: { Value: 'url' } } });
  const { stackName, template, assetFolders } = await readCloudAssembly(folder);
  expect(stackName).toBe('Stack');
  expect(template.outputs()).toEqual({ ApiUrl: 'url' });
  expect([...assetFolders]).toEqual([
    ['a.zip', join(folder, 'a')],
    ['a2.zip', join(folder, 'a')],
    ['b.zip', join(folder, 'b')],
  ]);
});

test('a folder without a cloud assembly, and one without a stack, are told apart', async () => {
  const refused = (message: string) =>
    expect(readCloudAssembly(folder)).rejects.toThrow(new CommandError(message));
  await refused(`There is no cloud assembly in ${folder}.`);
  await write('manifest.json', { artifacts: { Tree: { type: 'cdk:tree' } } });
  await refused(`There is no stack in ${folder}.`);
});
