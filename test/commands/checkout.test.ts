import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { PROJECT } from '../support/processes.ts';

/**
 * Files as Git writes them with these settings, which those of Git for Windows and of its users
 * include.
 */
async function checkOut(folder: string, ...settings: readonly string[]): Promise<string[]> {
  const options = { cwd: PROJECT };
  const args = settings.flatMap((setting) => ['-c', setting]);
  const checkout = ['checkout-index', '--all', `--prefix=${folder}/`];
  await promisify(execFile)('git', [...args, ...checkout], options);
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], options);
  return stdout.split('\0').filter(Boolean);
}

test.each([[['core.autocrlf=true']], [['core.eol=crlf']], [['core.autocrlf=input']]])(
  'scripts start in a checkout with %j: their first line ends as the system that reads it expects',
  async (settings) => {
    await using folder = await newFolder();
    const scripts: string[] = [];
    for (const name of await checkOut(folder.path, ...settings)) {
      const text = await readFile(join(folder.path, name), 'latin1');
      if (text.startsWith('#!')) {
        scripts.push(name);
        expect(text, name).not.toContain('\r');
      }
      if (/\.(?:cmd|bat)$/.test(name)) {
        scripts.push(name);
        expect(text, name).not.toMatch(/(?<!\r)\n/);
      }
    }
    expect(scripts).toEqual(
      expect.arrayContaining(['.ci/run', 'customer-data', 'customer-data.cmd']),
    );
  },
);
