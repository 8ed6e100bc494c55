import fs, { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readDraft, updatePublished } from '../../../../cli/config/draft.ts';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';

const PUBLISHED = 'clientId: demo\nlastFieldId: 0\nfields: []\n';
const after = { lastFieldId: { N: '0' }, fields: { L: [] } };

test.each<[string, string, RegExp, RegExp, Partial<PlannedChange>?]>([
  ['gets the new base', PUBLISHED, /^clientId: demo\nbase: /, /has the new base and ids/],
  [
    'keeps what was edited while it was published',
    `${PUBLISHED}# a note\n`,
    /^clientId: demo\nlastFieldId: 0\nfields: \[\]\n# a note\n$/,
    /is not what was published\. Pull/,
  ],
  [
    'stays as it is if it was merged, even with nothing',
    PUBLISHED,
    /^clientId: demo\nlastFieldId: 0\nfields: \[\]\n$/,
    /is not what was published\. Pull/,
    { mergedWith: [] },
  ],
])('a published file %s', async (_, stored, content, told, more = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  try {
    const file = join(folder, 'demo.yaml');
    await writeFile(file, stored);
    const plan = { after, ...more } as unknown as PlannedChange;
    expect(await updatePublished(file, PUBLISHED, plan)).toMatch(told);
    expect(await readFile(file, 'utf8')).toMatch(content);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a published file that was removed meanwhile is not written again', async () => {
  const plan = { after } as unknown as PlannedChange;
  const told = await updatePublished('/no/such/demo.yaml', PUBLISHED, plan);
  expect(told).toMatch(/^\/no\/such\/demo\.yaml is not what was published\. Pull /);
});

test('a published file that cannot be written is not said to be up to date', async () => {
  const read = vi.spyOn(fs, 'readFile').mockResolvedValue(PUBLISHED);
  const write = vi.spyOn(fs, 'writeFile').mockRejectedValue(new Error('EROFS'));
  syncBuiltinESMExports();
  onTestFinished(() => {
    read.mockRestore();
    write.mockRestore();
    syncBuiltinESMExports();
  });
  const told = await updatePublished('demo.yaml', PUBLISHED, { after } as unknown as PlannedChange);
  expect(write).toHaveBeenCalledOnce();
  expect(told).toMatch(/^demo\.yaml is not what was published\. Pull /);
});

test('all errors of syntax in a file are told, each with its place', () => {
  const text = 'clientId: demo\nfields:\n  - fieldName: @Car\n  - fieldName: %Age\n';
  expect(() => readDraft('demo.yaml', text)).toThrow(
    /^demo\.yaml:3:16 .*\.\ndemo\.yaml:4:16 .*\.$/,
  );
});
