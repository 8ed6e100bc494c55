import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { UserError } from '../../../core/user-error.ts';
import { expectNoBreakingChange } from '../../../openapi/breaking-changes.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['the changes that it found', 'echo a change; echo a remark >&2; exit 1', 'a change'],
  ['why it failed', 'echo no such document >&2; exit 2', 'no such document'],
])('if oasdiff fails, the error says %s', async (_, script, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'go'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter));
  await expect(expectNoBreakingChange('older.json', 'newer.json')).rejects.toThrow(
    new UserError(message),
  );
});
