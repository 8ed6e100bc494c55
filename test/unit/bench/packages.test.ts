import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { arePackagesInstalled } from '../../../bench/packages.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

async function text(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

async function dependenciesIn(path: string): Promise<readonly string[]> {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(await text(path));
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** Packages that contain only types, by the name under which they are imported. */
const TYPES_ONLY = new Map([['aws-lambda', '@types/aws-lambda']]);

/** The packages that the code of the bench imports, each once. */
async function importedPackages(): Promise<readonly string[]> {
  const files = await readdir(join(ROOT, 'bench'), { recursive: true });
  const sources = files.filter(
    (file) => /\.m?[jt]s$/.test(file) && !/^(node_modules|\.build)\b/.test(file),
  );
  const imported = new Set<string>();
  for (const source of sources) {
    const code = await text(join('bench', source));
    for (const [, specifier = ''] of code.matchAll(/^(?:import|.* from) '([^.'][^']*)'/gm)) {
      if (isBuiltin(specifier)) continue;
      const [, name = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? [];
      imported.add(name);
    }
  }
  return [...imported];
}

const ofProject = await dependenciesIn('package.json');
const ofBench = await dependenciesIn('bench/package.json');
const imported = await importedPackages();

test('the project does not install packages that only the bench needs', async () => {
  const { workspaces } = JSON.parse(await text('package.json'));
  expect(workspaces).not.toContain('bench');
  expect(ofBench.filter((name) => ofProject.includes(name))).toEqual([]);
  expect(ofBench).toEqual(expect.arrayContaining(['express', 'fastify', 'hono', 'zod']));
});

describe('every package that the bench imports', () => {
  test.each(imported)('%s is a dependency of the bench or the project', (name) => {
    expect([...ofBench, ...ofProject]).toContain(TYPES_ONLY.get(name) ?? name);
  });

  // Node and esbuild look into bench/node_modules first. A second SDK in there would make peers and floor run another version than
  // our functions, and a second aws-jwt-verify would break `instanceof` with its errors.
  test.each(imported.filter((name) => ofProject.includes(name)))(
    '%s has one copy, shared by peers and functions',
    async (name) => {
      const { packages } = JSON.parse(await text('bench/package-lock.json'));
      expect(Object.keys(packages)).not.toContain(`node_modules/${name}`);
    },
  );
});

test('the lockfile of the bench names no registry, and the bench has the npm settings of the project', async () => {
  expect(await text('bench/package-lock.json')).not.toMatch(/"resolved"/);
  expect(await text('bench/.npmrc')).toBe(await text('.npmrc'));
});

describe('packages count as installed', () => {
  const locked = {
    '': { name: 'bench' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0' },
  };

  /** @param installed is undefined if npm has not completed an installation. */
  async function folderWith(installed: object | undefined): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
    await mkdir(join(folder, 'node_modules'));
    const list = join(folder, 'node_modules/.package-lock.json');
    if (installed) await writeFile(list, JSON.stringify({ packages: installed }));
    return folder;
  }

  const { '': _, ...packages } = locked;

  test.each([
    { name: 'if all have the version of the lockfile', installed: packages, expected: true },
    {
      name: 'if others are installed as well',
      installed: { ...packages, 'node_modules/c': { version: '1.0.0' } },
      expected: true,
    },
    { name: 'not after an interrupted installation', installed: undefined, expected: false },
    {
      name: 'not if one is missing',
      installed: { 'node_modules/a': { version: '1.0.0' } },
      expected: false,
    },
    {
      name: 'not if one has another version',
      installed: { ...packages, 'node_modules/b': { version: '1.9.0' } },
      expected: false,
    },
  ])('$name', async ({ installed, expected }) => {
    expect(await arePackagesInstalled(await folderWith(installed))).toBe(expected);
  });
});
