import { afterEach, expect, test, vi } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { expectNoBreakingChange } from '../../../openapi/breaking-changes.ts';

afterEach(() => vi.unstubAllEnvs());

test('without Go, the error says what to install', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(expectNoBreakingChange('older.json', 'newer.json')).rejects.toThrow(
    new CommandError('oasdiff is a Go program: install Go 1.24 or newer (https://go.dev).'),
  );
});
