import { execFileSync } from 'node:child_process';
import fs, { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readDraft, updateFile } from '../../../../cli/config/draft.ts';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';

const PUBLISHED = 'clientId: demo\nlastFieldId: 0\nfields: []\n';
const after = { lastFieldId: { N: '0' }, fields: { L: [] } };

/** A new folder, which is removed at the end of the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const update = (file: string, text = PUBLISHED, more: Partial<PlannedChange> = {}) =>
  updateFile(file, text, { after, ...more } as PlannedChange);

test.each<[string, Partial<PlannedChange>]>([
  ['', {}],
  ['the merged fields, ', { mergedWith: [] }],
])('a published file gets %sthe new base', async (merged, more) => {
  const file = join(await newFolder(), 'demo.yaml');
  await writeFile(file, PUBLISHED);
  expect(await update(file, PUBLISHED, more)).toEqual({
    message: `${file} has ${merged}the new base and ids. You can change it again.`,
    isStale: false,
  });
  expect(await readFile(file, 'utf8')).toMatch(/^clientId: demo\nbase: \w{64}\nlastFieldId: 0\n/);
});

test.each<[string, string, string, RegExp]>([
  ['was saved meanwhile', `${PUBLISHED}# a note\n`, PUBLISHED, /it was saved meanwhile\./],
  ['cannot be edited', 'fields: [*a, &a {}]', 'fields: [*a, &a {}]', /it has aliases, /],
])('a published file that %s stays as it is', async (_, stored, read, reason) => {
  const file = join(await newFolder(), 'demo.yaml');
  await writeFile(file, stored);
  const { message, isStale } = await update(file, read);
  expect(message).toMatch(reason);
  expect(message).toMatch(/ Pull the configuration into a new file before you change it again\.$/);
  expect(isStale).toBe(true);
  expect(await readFile(file, 'utf8')).toBe(stored);
});

test('a published file that was removed meanwhile is not written again', async () => {
  const { message, isStale } = await update('/no/such/demo.yaml');
  expect(message).toMatch(/ was not updated: there is no file \/no\/such\/demo\.yaml\. Pull /);
  expect(isStale).toBe(true);
});

test('a published file that cannot be written is not said to be up to date', async () => {
  const file = join(await newFolder(), 'demo.yaml');
  await writeFile(file, PUBLISHED);
  const refusal = Object.assign(new Error('no'), { code: 'EACCES' });
  const write = vi.spyOn(fs, 'writeFile').mockRejectedValue(refusal);
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  const { message, isStale } = await update(file);
  expect(write).toHaveBeenCalledOnce();
  expect(message).toMatch(/ was not updated: you may not open .* Pull /);
  expect(isStale).toBe(true);
});

test('what was published from a pipe has no file to update', async () => {
  const pipe = join(await newFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await update(pipe)).toEqual({
    message: 'Pull the configuration into a file before you change it again.',
    isStale: false,
  });
});

test('all errors of syntax in a file are told, each with its place', () => {
  const text = 'clientId: demo\nfields:\n  - fieldName: @Car\n  - fieldName: %Age\n';
  expect(() => readDraft('demo.yaml', text)).toThrow(
    /^demo\.yaml:3:16 .*\.\ndemo\.yaml:4:16 .*\.$/,
  );
});
