import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import { expect, inject, test } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { readCloudAssembly } from '../../local/synthesize.ts';
import { ALLOWED_IN_FUNCTIONS } from '../supply-chain/licences.ts';

const MAX_BYTES = 330 * 1024;
const MODULE = /\.mjs$/;

const { template, assetFolders } = await readCloudAssembly(inject('cloudAssembly'));
const functions = template.functions().map((definition) => ({
  name: definition.logicalId.replace(/[0-9A-F]{8}$/, ''),
  folder: assetFolders.get(definition.codeKey) ?? '',
  environment: definition.environment,
}));

/** The modules that are loaded when the function starts: what `index.mjs` imports, not what it loads on demand. */
async function modulesAtStart(folder: string, module = 'index.mjs'): Promise<string[]> {
  const code = await readFile(join(folder, module), 'utf8');
  const imported = code.matchAll(/(?:^|[;\n])(?:import|export)[^;"'()]*["']\.\/([^"']+)["']/g);
  const found = [module];
  for (const [, name = ''] of imported) found.push(...(await modulesAtStart(folder, name)));
  return [...new Set(found)];
}

/** The source files of modules. */
async function sourcesOf(folder: string, modules: readonly string[]): Promise<string[]> {
  const maps = modules.map(async (module) => {
    const { sources }: { sources: string[] } = JSON.parse(
      await readFile(join(folder, `${module}.map`), 'utf8'),
    );
    return sources;
  });
  return (await Promise.all(maps)).flat();
}

function packagesOf(sources: readonly string[]): string[] {
  return [
    ...new Set(
      sources.flatMap((source) => /.*(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []),
    ),
  ];
}

test.each(functions)(
  '$name contains modules with their source maps, and nothing else',
  async ({ folder }) => {
    const files = await readdir(folder);
    const modules = files.filter((file) => MODULE.test(file));
    expect(files.sort()).toEqual(modules.flatMap((module) => [module, `${module}.map`]).sort());
    const code = await readFile(join(folder, 'index.mjs'), 'utf8');
    expect(code).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
    for (const module of modules) {
      expect(await readFile(join(folder, module), 'utf8')).toContain(
        `//# sourceMappingURL=${module}.map`,
      );
      const map = JSON.parse(await readFile(join(folder, `${module}.map`), 'utf8'));
      expect(map).not.toHaveProperty('sourcesContent');
    }
  },
);

test.each(functions)(
  '$name is deployed when a module changes that it shares: its key is the hash of the bundle',
  ({ folder }) => {
    expect(basename(folder)).toBe(`asset.${FileSystem.fingerprint(folder)}`);
  },
);

test.each(functions)('$name is small', async ({ folder }) => {
  const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
  const sizes = await Promise.all(modules.map((module) => stat(join(folder, module))));
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

test.each(functions)(
  '$name contains only packages whose licence permits it',
  async ({ folder }) => {
    const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
    const packages = packagesOf(await sourcesOf(folder, modules));
    expect(packages.length).toBeGreaterThan(3);
    for (const name of packages) {
      const manifest = await readFile(
        new URL(`../../${name}/package.json`, import.meta.url),
        'utf8',
      );
      expect(ALLOWED_IN_FUNCTIONS, name).toContain(JSON.parse(manifest).license);
    }
  },
);

const clientsOf = (packages: readonly string[]) =>
  packages.filter((name) => name.startsWith('node_modules/@aws-sdk/client-'));

test.each(functions)(
  "$name loads few modules at its start, and only DynamoDB of the SDK's clients",
  async ({ folder }) => {
    const modules = await modulesAtStart(folder);
    expect(modules.length).toBeLessThanOrEqual(6);
    const packages = packagesOf(await sourcesOf(folder, modules));
    expect(clientsOf(packages)).toEqual(['node_modules/@aws-sdk/client-dynamodb']);
  },
);

test.each(functions)(
  '$name contains no code that looks up credentials or settings',
  async ({ folder }) => {
    const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
    const sources = await sourcesOf(folder, modules);
    // bowser tells browsers apart.
    const lookUps =
      /\/(?:credential-provider-\w+|token-providers|shared-ini-file-loader|(?:node|util)-config-provider|bowser)\//;
    expect(sources.filter((source) => lookUps.test(source))).toEqual([]);
  },
);

test.each(functions)('$name loads no more of Node than it needs', async ({ folder }) => {
  const modules = await modulesAtStart(folder);
  const code = await Promise.all(modules.map((module) => readFile(join(folder, module), 'utf8')));
  const imported = code.join('\n').matchAll(/(?:from|import)\s*["'](?:node:)?([\w/]+)["']/g);
  const names = new Set([...imported].map(([, name = '']) => name));
  // Each further module costs time. As ES modules, `http` loads all of `fetch`, and `process` opens the standard streams.
  for (const needed of [
    ...['console', 'crypto', 'events', 'fs', 'https', 'os', 'stream', 'timers'],
  ]) {
    names.delete(needed);
  }
  expect([...names]).toEqual([]);
  expect(code.join()).toMatch(/from\s*"(?:node:)?crypto"/);
});

test.each(functions)('$name starts without reading source maps', ({ environment }) => {
  expect(environment).not.toHaveProperty('NODE_OPTIONS');
});

test.each(functions)('$name contains no descriptions of the operations', async ({ folder }) => {
  const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
  const code = await Promise.all(modules.map((module) => readFile(join(folder, module), 'utf8')));
  expect(OPERATIONS.length).toBeGreaterThan(1);
  for (const { description, paths } of OPERATIONS) {
    expect(code.join()).not.toContain(description.slice(0, 40));
    for (const { path } of paths) expect(code.join()).not.toContain(path);
  }
});

const isQueue = (source: string) => source.endsWith('/promo-events-queue.ts');

test('GetConfig contains no code for the queue', async () => {
  const { folder = '' } = functions.find(({ name }) => name === 'GetConfig') ?? {};
  const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
  expect((await sourcesOf(folder, modules)).filter(isQueue)).toEqual([]);
});

test('ApplyPromoCode contains the SQS client, and does not load it at its start', async () => {
  const { folder = '' } = functions.find(({ name }) => name === 'ApplyPromoCode') ?? {};
  const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
  const sources = await sourcesOf(folder, modules);
  expect(sources.filter(isQueue)).toHaveLength(1);
  expect(clientsOf(packagesOf(sources))).toContain('node_modules/@aws-sdk/client-sqs');
  const atStart = await sourcesOf(folder, await modulesAtStart(folder));
  expect(atStart.filter(isQueue)).toEqual([]);
});

test.each(functions)('$name contains no dev dependency and no CDK code', async ({ folder }) => {
  const modules = (await readdir(folder)).filter((file) => MODULE.test(file));
  const sources = await sourcesOf(folder, modules);
  const packages = packagesOf(sources);
  expect(packages.length).toBeGreaterThan(5);
  const { packages: locked }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    await readFile('package-lock.json', 'utf8'),
  );
  for (const name of packages) expect([name, locked[name]]).toEqual([name, expect.anything()]);
  expect(packages.filter((name) => locked[name]?.dev)).toEqual([]);
  expect(sources.filter((source) => /\/(?:lib|local|test)\/[^/]+\.ts$/.test(source))).toEqual([]);
});
