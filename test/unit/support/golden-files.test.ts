import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestModule, Vitest } from 'vitest/node';
import { GoldenFiles } from '../../support/golden-files.ts';

/* A run that overlooks a golden file without a test would not tell, so here it must. */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  for (const file of ['unit/golden/a.txt', 'unit/b/transcripts/c.txt', 'support/golden/d.txt']) {
    const path = join(root, 'test', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
});
afterAll(() => rm(root, { recursive: true }));

/**
 * The golden files that a run of a project of two test files overlooks, if its tests compared some.
 */
async function overlooked(ran: number, compared: readonly string[], config = {}) {
  const errors: string[] = [];
  const project = { name: 'unit', globTestFiles: async () => ({ testFiles: ['one', 'other'] }) };
  const logger = { error: (message: string) => errors.push(message) };
  const vitest = { config: { root, ...config }, projects: [project], logger };
  const meta = () => ({ comparedFiles: compared.map((file) => join(root, 'test', file)) });
  const check = new GoldenFiles(['unit', 'integration']);
  check.onInit(vitest as unknown as Vitest);
  const modules = Array.from({ length: ran }, () => ({ project, meta }) as unknown as TestModule);
  const exitCode = process.exitCode;
  await check.onTestRunEnd(modules, [], 'passed');
  expect(process.exitCode ?? 0).toBe(errors.length > 0 ? 1 : 0);
  process.exitCode = exitCode;
  return errors.map((message) => /test\/(\S+\w)/.exec(message)?.[1]).sort();
}

test('a run of all tests finds the golden files that no test compared, also those of no project', async () => {
  expect(await overlooked(2, ['unit/golden/a.txt'])).toEqual([
    ...['support/golden/d.txt', 'unit/b/transcripts/c.txt'],
  ]);
});

test('a run of some tests leaves those of its project to others', async () => {
  expect(await overlooked(1, [])).toEqual(['support/golden/d.txt']);
  expect(await overlooked(2, [], { testNamePattern: /one/ })).toEqual([]);
});
