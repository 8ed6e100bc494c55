import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';

/* A second deployment of the same state changes nothing, even from another clone. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

test('no bundle names the folder of the project, or the one that it was written to', async () => {
  const assembly = inject('cloudAssembly');
  const assets = (await readdir(assembly)).filter((name) => name.startsWith('asset.'));
  expect(assets.length).toBeGreaterThan(2);
  for (const asset of assets) {
    for (const file of await readdir(join(assembly, asset))) {
      const text = await readFile(join(assembly, asset, file), 'utf8');
      for (const folder of [PROJECT, assembly]) expect(text.includes(folder), file).toBe(false);
      if (!file.endsWith('.map')) continue;
      const { sources } = JSON.parse(text);
      // Relative to a folder in the project.
      for (const source of sources) expect(source).toMatch(/^\.\.\/(?!\.\.)/);
    }
  }
});
