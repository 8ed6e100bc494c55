import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { UserError } from '../../../core/user-error.ts';
import { expectNoBreakingChange } from '../../../openapi/breaking-changes.ts';

afterEach(() => vi.unstubAllEnvs());

const openapi = (path: string) =>
  fileURLToPath(new URL(`../../../openapi/${path}`, import.meta.url));

/**
 * Puts a program in the place of Go, and returns a function that reads the arguments of its last
 * call.
 */
async function standInForGo(script: string): Promise<() => Promise<string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const called = join(folder, 'called');
  await writeFile(join(folder, 'go'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${called}'\n${script}\n`);
  await chmod(join(folder, 'go'), 0o755);
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter));
  return async () => (await readFile(called, 'utf8')).trimEnd().split('\n');
}

test('the older document is compared with the newer one, by the rules of this project', async () => {
  const called = await standInForGo('echo no change');
  await expectNoBreakingChange('older.json', 'newer.json');
  expect(await called()).toEqual([
    ...['tool', '-C', openapi('oasdiff'), 'oasdiff', 'breaking', '--fail-on', 'ERR'],
    ...['--severity-levels', openapi('oasdiff/severity-levels.txt')],
    ...['--err-ignore', openapi('releases/accepted.txt')],
    ...['--format', 'singleline', 'older.json', 'newer.json'],
  ]);
});

test.each([
  ['the changes that it found', 'echo a change; echo a remark >&2; exit 1', 'a change'],
  ['why it failed', 'echo no such document >&2; exit 2', 'no such document'],
])('if oasdiff fails, the error says %s', async (_, script, message) => {
  await standInForGo(script);
  await expect(expectNoBreakingChange('older.json', 'newer.json')).rejects.toThrow(
    new UserError(message),
  );
});

test('without Go, the error says what to install', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(expectNoBreakingChange('older.json', 'newer.json')).rejects.toThrow(UserError);
});
