import { glob } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** The files with which the tests of a file compared something by `toMatchFileSnapshot`. */
    comparedFiles?: readonly string[];
  }
}

const TESTS = 'test/**/*.test.ts';
/** Golden files are in folders of these names. Code may stand beside them. */
const GOLDEN = 'test/**/{golden,transcripts}/**/*.*';
const IN_NODE_MODULES = '**/node_modules/**';

/** The folder in `test` of a file. */
const folderOf = (file: string) => file.split(sep)[1];

/**
 * Fails a run if there is a golden file that none of its tests compared with anything. It looks at
 * the folders in `test` all of whose tests the run included.
 */
export class GoldenFiles implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason !== 'passed' || vitest.config.testNamePattern) return;
    const { root: cwd } = vitest.config;
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    const incomplete = new Set<string | undefined>();
    for await (const file of glob(TESTS, { cwd, exclude: [IN_NODE_MODULES] })) {
      if (!ran.has(join(cwd, file))) incomplete.add(folderOf(file));
    }
    const compared = new Set(modules.flatMap((module) => module.meta().comparedFiles ?? []));
    for await (const file of glob(GOLDEN, { cwd, exclude: [IN_NODE_MODULES, '**/*.ts'] })) {
      if (incomplete.has(folderOf(file)) || compared.has(join(cwd, file))) continue;
      vitest.logger.error(`No test compares anything with the golden file ${file}.`);
      process.exitCode = 1;
    }
  }
}
