import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(PROJECT, 'node_modules/.bin/tsc');

/** The files that a tsconfig.json names, relative to the project. */
async function filesOf(folder: string): Promise<string[]> {
  const cwd = join(PROJECT, folder);
  const { stdout } = await promisify(execFile)(TSC, ['--showConfig'], { cwd });
  const { files } = JSON.parse(stdout) as { files: string[] };
  return files.map((file) => relative(PROJECT, join(cwd, file)));
}

test('npm run check type-checks every TypeScript file', async () => {
  const lanes = ['app-sdk', 'bench', 'e2e', 'explorer', 'react-native'].map((one) => `lab/${one}`);
  const folders = ['.', ...lanes, 'packages/console/page', 'examples/apps/web'];
  const checked = new Set((await Promise.all(folders.map(filesOf))).flat());
  const notIgnored = 'ls-files --cached --others --exclude-standard -- *.ts *.tsx'.split(' ');
  const { stdout } = await promisify(execFile)('git', notIgnored, { cwd: PROJECT });
  const present = stdout.split('\n').filter((file) => file && existsSync(join(PROJECT, file)));
  expect(present.length).toBeGreaterThan(100);
  expect(present.filter((file) => !checked.has(file))).toEqual([]);
});
