import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileSystem } from 'aws-cdk-lib';
import { readCloudAssembly } from 'customer-data-api-local';
import { describe, expect, inject, test } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { PROJECT } from '../support/documents/document.ts';
import { modulesTable } from '../support/modules-table.ts';

/**
 * SPDX ids: licences that permit use in a proprietary product, and ask for no more than a notice.
 */
const LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];
const MAX_BYTES = 340 * 1024;
/**
 * The modules of Node that a start loads. Each further one costs time, except `util`, which Node
 * loads anyway. As ES modules, `http` loads all of `fetch`, and `process` opens the standard
 * streams.
 */
const OF_NODE = /^(?:console|crypto|events|fs|https|os|stream|timers|util)$/;
/** bowser tells browsers apart. */
const LOOK_UPS =
  /\/(?:credential-provider-\w+|token-providers|shared-ini-file-loader|node-config-provider|bowser)\//;

const { packages: locked }: { packages: Record<string, { dev?: boolean; license?: string }> } =
  JSON.parse(await readFile(new URL('package-lock.json', PROJECT), 'utf8'));

/** Modules of a bundle: their code, and the files and packages that it comes from. */
async function contentOf(folder: string, modules: readonly string[]) {
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const maps = await Promise.all(modules.map((module) => read(`${module}.map`)));
  const sources = maps.flatMap((map): string[] => JSON.parse(map).sources);
  const packages = sources.flatMap(
    (source) => /.*(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
  );
  const code = (await Promise.all(modules.map(read))).join('\n');
  return { code, maps, sources, packages: [...new Set(packages)] };
}

/**
 * The modules that are loaded when the function starts: what `index.mjs` imports, not what it loads
 * on demand.
 */
async function modulesAtStart(folder: string, module = 'index.mjs'): Promise<string[]> {
  const { code } = await contentOf(folder, [module]);
  const imported = code.matchAll(/(?:^|[;\n])(?:import|export)[^;"'()]*["']\.\/([^"']+)["']/g);
  const found = [module];
  for (const [, name = ''] of imported) found.push(...(await modulesAtStart(folder, name)));
  return [...new Set(found)];
}

const { template, assetFolders } = await readCloudAssembly(inject('cloudAssembly'));
const bundles = await Promise.all(
  template.functions().map(async ({ logicalId, codeKey, environment }) => {
    const folder = assetFolders.get(codeKey) ?? '';
    const files = (await readdir(folder)).sort();
    const modules = files.filter((file) => file.endsWith('.mjs'));
    const modulesOfStart = await modulesAtStart(folder);
    return {
      name: logicalId.replace(/[0-9A-F]{8}$/, ''),
      folder,
      files,
      modules,
      environment,
      modulesOfStart,
      all: await contentOf(folder, modules),
      start: await contentOf(folder, modulesOfStart),
    };
  }),
);
const clientsOf = ({ packages }: { packages: readonly string[] }) =>
  packages.flatMap((name) => /client-(.*)/.exec(name)?.[1] ?? []).sort();

/** The package of a source, or else its folder. */
const partOf = (source: string) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? source.replace(/^\.\.\/|\/[^/]*$/g, '');

// Every start pays for each module, whether or not a request needs it.
test('a start of each function evaluates these modules', async () => {
  const programs = bundles.map(({ name, start }) => ({
    name,
    parts: start.sources.map(partOf),
    bytes: Buffer.byteLength(start.code),
  }));
  await expect(modulesTable(programs, 5)).toMatchFileSnapshot('golden/starts.txt');
});

const isQueue = (source: string) => source.endsWith('/message-sender.ts');

describe.each(bundles)(
  '$name',
  ({ name, folder, files, modules, environment, modulesOfStart, all, start }) => {
    const publishes = ['PublishPromoEvents', 'RecordConfigurationVersions'].includes(name);

    test('contains modules with their source maps, and nothing else', () => {
      expect(files).toEqual(modules.flatMap((module) => [module, `${module}.map`]).sort());
      expect(start.code).toMatch(/export\s*\{[^}]*\bas handler\b[^}]*\}/);
      for (const module of modules)
        expect(all.code).toContain(`//# sourceMappingURL=${module}.map`);
      for (const map of all.maps) expect(JSON.parse(map)).not.toHaveProperty('sourcesContent');
      // Node would read the source maps at each start.
      expect(environment).not.toHaveProperty('NODE_OPTIONS');
    });

    test('is deployed when a module changes that it shares: its key is the hash of the bundle', () => {
      expect(basename(folder)).toBe(`asset.${FileSystem.fingerprint(folder)}`);
    });

    test('names neither the folder of the project nor its own, so that another clone builds the same', () => {
      for (const place of [fileURLToPath(PROJECT), inject('cloudAssembly')]) {
        expect([all.code, ...all.maps].join()).not.toContain(place);
      }
      // Relative to a folder in the project.
      for (const source of all.sources) expect(source).toMatch(/^\.\.\/(?!\.\.)/);
    });

    test('is small, and contains no descriptions of operations', () => {
      expect(Buffer.byteLength(all.code)).toBeLessThan(MAX_BYTES);
      for (const { description, path } of OPERATIONS) {
        expect(all.code).not.toContain(description.slice(0, 40));
        expect(all.code).not.toContain(path);
      }
    });

    test('contains only packages whose licence permits it', () => {
      expect(all.packages.length).toBeGreaterThan(5);
      const forbidden = all.packages.filter(
        (one) => !LICENCES.includes(locked[one]?.license ?? ''),
      );
      expect(forbidden).toEqual([]);
    });

    test('contains no dev dependency and no CDK code', () => {
      expect(all.packages.filter((one) => locked[one]?.dev)).toEqual([]);
      const ours = all.sources.filter((source) => /^\.\.\/\w+\/.*\.ts$/.test(source));
      expect(ours.length).toBeGreaterThan(10);
      const rooms = /^\.\.\/(?:core|functions|lib\/bundle)\//;
      expect(ours.filter((source) => !rooms.test(source))).toEqual([]);
    });

    test('contains no code that looks up credentials or settings', () => {
      expect(all.sources.filter((source) => LOOK_UPS.test(source))).toEqual([]);
    });

    test('loads few modules of Node at its start', () => {
      expect(modulesOfStart.length).toBeLessThanOrEqual(6);
      const imported = start.code.matchAll(/(?:from|import)\s*["'](?:node:)?([\w/]+)["']/g);
      const names = [...imported].map(([, module = '']) => module);
      expect(names).toContain('crypto');
      expect(names.filter((module) => !OF_NODE.test(module))).toEqual([]);
    });

    test('has the code for the queue if it sends to it, and does not load that at its start', () => {
      const sends = publishes || name === 'ApplyPromoCode';
      expect(clientsOf(all)).toEqual([...clientsOf(start), ...(sends ? ['sqs'] : [])]);
      expect(all.sources.filter(isQueue)).toHaveLength(sends ? 1 : 0);
      expect(start.sources.filter(isQueue)).toEqual([]);
    });
  },
);
