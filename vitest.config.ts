import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { GoldenFiles } from './test/support/golden-files.ts';
import { WAIT_MS } from './test/support/wait.ts';

// Workers and child processes load the same packages again and again: they compile them once.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'customer-data-api-compile-cache');

// No proxy of the environment comes between tests and the servers that they start.
createRequire(import.meta.url)('./packages/launcher/proxy.cjs').useProxy();

/** The folders of tests: those of the service, and of each package. */
const TESTS = '{test,packages/*/test}';

/** The tests of one kind: those in the folders of that name. */
function kind(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`${TESTS}/${name}/**/*.test.ts`],
      sequence: { groupOrder: 1 },
      ...test,
    },
  };
}

/**
 * Unit tests that replace modules run before those that share them: in the order of the others,
 * each would make the next file load all modules again. Those of the stack run last, as they share
 * what they have synthesized.
 */
class FilesInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      if (moduleId.endsWith('.mocked.test.ts')) return 0;
      return moduleId.includes('/test/infrastructure/') ? 2 : 1;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * The files that a worker runs, one after the other, share the packages that they load and the code
 * that was compiled, which takes a third of their CPU time. What a file replaces, it restores.
 */
const SHARED = { isolate: false };

const unit = {
  ...SHARED,
  include: [`${TESTS}/unit/**/*.test.ts`, 'lab/{e2e,evidence}/*.test.ts'],
  // They only compute. They run before the others, as projects with different numbers of workers
  // have to.
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 0 },
  pool: 'threads',
  setupFiles: ['test/support/mocked.ts'],
} satisfies TestProjectInlineConfiguration['test'];

const withCloudAssembly = {
  globalSetup: 'test/support/cloud-assembly.ts',
  setupFiles: ['test/support/synthesized.ts'],
};

const projects = [
  kind('unit', unit),
  kind('integration', {
    ...withCloudAssembly,
    ...SHARED,
    // One project, as each starts workers of its own.
    include: [
      `${TESTS}/{integration,infrastructure,transcripts}/**/*.test.ts`,
      'lab/proof/**/*.test.ts',
    ],
    setupFiles: ['test/support/synthesized.ts', 'test/support/new-modules.ts'],
  }),
  kind('commands', withCloudAssembly),
  kind('documents', withCloudAssembly),
];

export default defineConfig({
  test: {
    reporters: [...configDefaults.reporters, new GoldenFiles()],
    setupFiles: ['test/support/setup.ts', 'test/support/thrown-errors.ts'],
    // The one limit of all tests, but for four that can run for minutes. It ends a test
    // that hangs, and asserts nothing: on a busy machine, no other test takes a tenth of it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: WAIT_MS } },
    env: {
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      POWERTOOLS_METRICS_DISABLED: 'true',
      POWERTOOLS_METRICS_NAMESPACE: 'CustomerDataApi',
      LOG_INTERVAL_SECONDS: '0',
      STAGE_NAME: 'test',
    },
    // One file more than there are cores: much of what the slow ones do is waiting, and each worker
    // loads the packages once.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: FilesInOrder },
    projects,
  },
});
