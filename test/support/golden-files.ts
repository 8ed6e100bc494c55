import { glob } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** The files with which the tests of a file compared something by `toMatchFileSnapshot`. */
    comparedFiles?: readonly string[];
  }
}

/**
 * Golden files are in folders of these names, among the tests of a project. Code may stand beside
 * them.
 */
const GOLDEN = 'test/**/{golden,transcripts}/**/*.*';
const EXCLUDED = ['**/node_modules/**', '**/*.ts'];

/**
 * Fails a run if there is a golden file that none of its tests compared with anything. It looks at
 * the projects all of whose tests the run included, and at folders that belong to no project.
 */
export class GoldenFiles implements Reporter {
  readonly #projects: readonly string[];
  #vitest: Vitest | undefined;

  /** @param projects the names of all projects, which are those of their folders in `test`. */
  constructor(projects: readonly string[]) {
    this.#projects = projects;
  }

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
    const incomplete = new Set(this.#projects);
    for (const project of vitest.projects) {
      const { testFiles } = await project.globTestFiles();
      const ran = modules.filter((module) => module.project === project);
      if (ran.length === testFiles.length) incomplete.delete(project.name);
    }
    const { root } = vitest.config;
    const compared = new Set(modules.flatMap((module) => module.meta().comparedFiles ?? []));
    for await (const file of glob(GOLDEN, { cwd: root, exclude: EXCLUDED })) {
      const [, project = ''] = file.split(sep);
      if (incomplete.has(project) || compared.has(join(root, file))) continue;
      vitest.logger.error(`No test compares anything with the golden file ${file}.`);
      process.exitCode = 1;
    }
  }
}
