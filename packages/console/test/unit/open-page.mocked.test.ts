import { access, readFile, stat } from 'node:fs/promises';
import open from 'open';
import { expect, test, vi } from 'vitest';
import { openPage } from '../../server/open-page.ts';

vi.mock('open', () => ({ default: vi.fn() }));

test.skipIf(process.platform === 'win32')(
  'the arguments of the browser lack the secret of the console, which others cannot read',
  async () => {
    const url = 'http://127.0.0.1:4380/#a-secret';
    let file = '';
    {
      await using _ = await openPage(url);
      file = String(vi.mocked(open).mock.lastCall);
      expect(file).not.toContain('a-secret');
      expect((await stat(file)).mode & 0o077).toBe(0);
      expect(await readFile(file, 'utf8')).toContain('a-secret');
    }
    await expect(access(file)).rejects.toThrow('ENOENT');
  },
);
