import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../support/documents/document.ts';

/* Whatever is fetched has a digest in the repository, so a registry cannot serve anything else. */

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

async function filesLike(pattern: string): Promise<readonly string[]> {
  const cwd = fileURLToPath(PROJECT);
  const { stdout } = await promisify(execFile)('git', ['ls-files', '--', pattern], { cwd });
  return stdout.split('\n').filter((file) => file !== '');
}

describe.each(await filesLike('*package-lock.json'))('%s', async (file) => {
  const { packages } = JSON.parse(await readFile(new URL(file, PROJECT), 'utf8'));
  const fetched = Object.entries<LockedPackage>(packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
  );

  test('has the digest of every package', () => {
    expect(fetched.length).toBeGreaterThan(0);
    const unverified = fetched.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity));
    expect(unverified.map(([path]) => path)).toEqual([]);
  });

  test('has no package that may run a script, which could fetch something else', async () => {
    const manifest = new URL(file.replace('package-lock', 'package'), PROJECT);
    const { allowScripts = {} } = JSON.parse(await readFile(manifest, 'utf8'));
    const scripted = fetched.filter(([, { hasInstallScript }]) => hasInstallScript);
    const refused = scripted.map(([path]) => [path.replace(/.*node_modules\//, ''), false]);
    expect(allowScripts).toEqual(Object.fromEntries(refused));
  });

  test('names no registry', () => {
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

test('workflows name the commit of every action', async () => {
  const files = [
    ...(await filesLike('.github/workflows/*')),
    ...(await filesLike('examples/pipeline/*.yml')),
  ];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, PROJECT), 'utf8')));
  const uses = texts.flatMap((text) => [...text.matchAll(/\buses: *(.*)/g)].map(([, use]) => use));
  expect(uses.length).toBeGreaterThan(0);
  // The comment is the version. Renovate reads it, and writes it together with the commit.
  expect(
    uses.filter((use = '') => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(use)),
  ).toEqual([]);
});
