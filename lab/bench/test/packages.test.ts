import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../../functions/middlewares/validate-body.ts';
import * as peers from '../candidates/peers/request-body.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const text = (path: string) => readFile(join(ROOT, path), 'utf8');

async function dependenciesIn(path: string): Promise<readonly string[]> {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(await text(path));
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** The packages that the code of the bench imports. `aws-lambda` has types only. */
async function importedPackages(): Promise<readonly string[]> {
  const files = await readdir(join(ROOT, 'lab/bench'), { recursive: true });
  const sources = files.filter(
    (file) => /\.m?[jt]s$/.test(file) && !/^(node_modules|\.build)\b/.test(file),
  );
  const code = await Promise.all(sources.map((source) => text(join('lab/bench', source))));
  const specifiers = code.join('\n').matchAll(/^(?:import|.* from) '([^.'][^']*)'/gm);
  const names = [...specifiers]
    .filter(([, specifier = '']) => !isBuiltin(specifier))
    .map(([, specifier = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
  return [...new Set(names)].map((name) => (name === 'aws-lambda' ? '@types/aws-lambda' : name));
}

test('peers accept request bodies up to the same size as our functions', () => {
  expect(peers.MAX_BODY_BYTES).toBe(MAX_BODY_BYTES);
});

test('what only the bench needs is installed by the bench alone, and everything else has one copy', async () => {
  const workspaces = (await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}/`);
  const ofProject = await Promise.all(
    ['', ...workspaces].map((folder) => dependenciesIn(`${folder}package.json`)),
  ).then((all) => all.flat());
  const ofBench = await dependenciesIn('lab/bench/package.json');
  expect(ofBench.filter((name) => ofProject.includes(name))).toEqual([]);
  const { packages } = JSON.parse(await text('lab/bench/package-lock.json'));
  for (const name of await importedPackages()) {
    expect([...ofBench, ...ofProject]).toContain(name);
    // Node and esbuild look into bench/node_modules first: with a second SDK in there, peers and
    // floor would run another version than our functions.
    if (ofProject.includes(name)) expect(packages).not.toHaveProperty(`node_modules/${name}`);
  }
});
