import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { readCloudAssembly } from '../../local/synthesize.ts';

const MAX_BYTES = 450 * 1000;

const { template, assetFolders } = await readCloudAssembly(inject('cloudAssembly'));
const folders = template.functions().map(({ codeKey }) => assetFolders.get(codeKey) ?? '');

test.each(folders)(
  'the bundle is a module with its source map, and nothing else',
  async (folder) => {
    expect((await readdir(folder)).sort()).toEqual(['index.mjs', 'index.mjs.map']);
    const code = await readFile(join(folder, 'index.mjs'), 'utf8');
    expect(code).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
    expect(code).toContain('//# sourceMappingURL=index.mjs.map');
  },
);

test.each(folders)('the bundle is small', async (folder) => {
  expect((await stat(join(folder, 'index.mjs'))).size).toBeLessThan(MAX_BYTES);
});

test.each(folders)('the bundle holds no dev dependency, and no CDK code', async (folder) => {
  const { sources }: { sources: string[] } = JSON.parse(
    await readFile(join(folder, 'index.mjs.map'), 'utf8'),
  );
  const packages = new Set(
    sources.flatMap((source) => /.*(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []),
  );
  expect(packages.size).toBeGreaterThan(5);
  const { packages: locked }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    await readFile('package-lock.json', 'utf8'),
  );
  for (const name of packages) expect([name, locked[name]]).toEqual([name, expect.anything()]);
  expect([...packages].filter((name) => locked[name]?.dev)).toEqual([]);
  expect(sources.filter((source) => /\/(?:lib|local|test)\/[^/]+\.ts$/.test(source))).toEqual([]);
});
