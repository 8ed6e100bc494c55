import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestModule, Vitest } from 'vitest/node';
import { GoldenFiles } from '../../support/golden-files.ts';

test('a run of all tests of a project fails for its golden files that no test compared, and for those of no project', async () => {
  const root = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of ['unit/golden/a.txt', 'unit/b/transcripts/c.txt', 'support/golden/d.txt']) {
    const path = join(root, 'test', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
  const project = { name: 'unit', globTestFiles: async () => ({ testFiles: ['one', 'other'] }) };
  /** The golden files that a run of so many test files overlooks. */
  const overlooked = async (ran: number, config = {}) => {
    const errors: string[] = [];
    const logger = { error: (message: string) => errors.push(message) };
    const vitest = { config: { root, ...config }, projects: [project], logger };
    const meta = () => ({ comparedFiles: [join(root, 'test/unit/golden/a.txt')] });
    const check = new GoldenFiles(['unit', 'integration']);
    check.onInit(vitest as unknown as Vitest);
    const modules = Array.from({ length: ran }, () => ({ project, meta }) as unknown as TestModule);
    const { exitCode } = process;
    await check.onTestRunEnd(modules, [], 'passed');
    expect(process.exitCode ?? 0).toBe(errors.length > 0 ? 1 : 0);
    process.exitCode = exitCode;
    return errors.map((message) => /test\/(\S+\w)/.exec(message)?.[1]).sort();
  };
  expect(await overlooked(2)).toEqual(['support/golden/d.txt', 'unit/b/transcripts/c.txt']);
  // Those that did not run may compare the others.
  expect(await overlooked(1)).toEqual(['support/golden/d.txt']);
  expect(await overlooked(2, { testNamePattern: /one/ })).toEqual([]);
});
