import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyProject } from '../support/documents/project-copy.ts';
import type { Finished } from '../support/processes.ts';

/* Runs the command as a developer does, in a copy of the project. */

const FILES = ['examples/configuration.schema.json', 'openapi.json', 'stages/schema.json'];

let folder: string;
beforeAll(async () => {
  ({ folder } = await copyProject());
});
afterAll(() => rm(folder, { recursive: true }));

function generate(...args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['bin/generate.ts', ...args],
      { cwd: folder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const contents = () => Promise.all(FILES.map((file) => readFile(join(folder, file), 'utf8')));

test('npm run generate writes all files or those that are named, and --check fails if one is out of date', async () => {
  const done = { code: 0, stdout: '', stderr: '' };
  const generated = await contents();
  const [first, , last] = FILES as [string, string, string];
  await rm(join(folder, first));
  await writeFile(join(folder, last), `${generated[2]} `);

  const outdated = (file: string) => ({
    ...{ code: 1, stdout: '' },
    stderr: `${file} is out of date. Run npm run generate and commit it.\n`,
  });
  expect(await generate('--check')).toEqual(outdated(first));
  expect(await generate(first)).toEqual(done);
  // Each file is checked, and none is written.
  expect(await generate('--check')).toEqual(outdated(last));
  expect((await contents())[2]).toBe(`${generated[2]} `);

  await rm(join(folder, first));
  expect(await generate()).toEqual(done);
  expect(await contents()).toEqual(generated);
  expect(await generate('--check')).toEqual(done);
});

test('npm run generate writes no other file, and names those that it can write', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const { code, stderr } = await generate('README.md');
  expect(code).toBe(1);
  expect(stderr).toContain(`Allowed choices are ${FILES.join(', ')}.`);
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe(readme);
});
