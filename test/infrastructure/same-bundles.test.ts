import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { synthesize } from '../../local/synthesize.ts';
import { VALIDATION } from '../support/cloud-assembly.ts';

/* A second deployment of the same state changes nothing, even from another clone. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TEMPLATE = 'CustomerDataApi-dev.template.json';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the template with its bundles does not depend on the folder that they are written to', async () => {
  // Deeper than any other folder that the CDK writes to.
  const cloudAssembly = join(folder, 'a/b/c/d');
  vi.stubEnv(VALIDATION, 'false');
  await synthesize(cloudAssembly).finally(() => vi.unstubAllEnvs());
  const again = JSON.parse(await readFile(join(cloudAssembly, TEMPLATE), 'utf8'));
  const first = JSON.parse(await readFile(join(inject('cloudAssembly'), TEMPLATE), 'utf8'));
  expect(again).toEqual(first);
});

test('no bundle names the folder of the project', async () => {
  const assembly = inject('cloudAssembly');
  const assets = (await readdir(assembly)).filter((name) => name.startsWith('asset.'));
  expect(assets.length).toBeGreaterThan(2);
  for (const asset of assets) {
    for (const file of await readdir(join(assembly, asset))) {
      const text = await readFile(join(assembly, asset, file), 'utf8');
      expect(text.includes(PROJECT), file).toBe(false);
      if (!file.endsWith('.map')) continue;
      const { sources } = JSON.parse(text);
      // Relative to a folder in the project.
      for (const source of sources) expect(source).toMatch(/^\.\.\/(?!\.\.)/);
    }
  }
});
