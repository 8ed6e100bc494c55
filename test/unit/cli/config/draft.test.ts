import { execFileSync } from 'node:child_process';
import fs, { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { updateFile } from '../../../../cli/config/draft.ts';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';

const PUBLISHED = 'clientId: demo\nlastFieldId: 0\nfields: []\n';
const after = { lastFieldId: { N: '0' }, fields: { L: [] } };
const UPDATED = PUBLISHED.replace('\n', `\nbase: ${contentDigest(after)}\n`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

const update = (file: string, text = PUBLISHED, more: Partial<PlannedChange> = {}) =>
  updateFile(file, text, { after, ...more } as PlannedChange);

test.each<[string, stored: string | undefined, read: string, result: string | undefined]>([
  ['gets its new base', PUBLISHED, PUBLISHED, UPDATED],
  ['was saved meanwhile', `${PUBLISHED}# a note\n`, PUBLISHED, `${PUBLISHED}# a note\n`],
  ['has aliases', 'fields: [*a, &a {}]', 'fields: [*a, &a {}]', 'fields: [*a, &a {}]'],
  ['was removed meanwhile', undefined, PUBLISHED, undefined],
])('a published file that %s', async (name, stored, read, result) => {
  const file = join(folder, name);
  for (const more of [{}, { mergedWith: [] }]) {
    if (stored !== undefined) await writeFile(file, stored);
    expect((await update(file, read, more)).isStale).toBe(result !== UPDATED);
    expect(await readFile(file, 'utf8').catch(() => undefined)).toBe(result);
  }
});

test('a published file that cannot be written is not said to be up to date', async () => {
  const file = join(folder, 'demo.yaml');
  await writeFile(file, PUBLISHED);
  const write = vi.spyOn(fs, 'writeFile').mockRejectedValue(new Error('EROFS'));
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  expect((await update(file)).isStale).toBe(true);
});

test('what was published from a pipe has no file to update', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect((await update(pipe)).isStale).toBe(false);
});
