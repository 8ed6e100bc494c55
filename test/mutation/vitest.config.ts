import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Fast files first: the first test that fails ends the run of a mutant. */
class FastFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.includes('/test/integration/');
    return files.toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)));
  }
}

/** The tests of what runs in the process of vitest, where Stryker can put its mutants in. */
export default defineConfig({
  test: {
    include: [
      'test/unit/{core,functions,openapi}/**/*.test.ts',
      'test/integration/{core,functions,api}/**/*.test.ts',
    ],
    // These wait for queues, and send requests at random. What they would kill alone, others should.
    exclude: [
      'test/integration/api/any-input.test.ts',
      'test/integration/api/promo-events-queue.test.ts',
    ],
    sequence: { sequencer: FastFirst },
    globalSetup: 'test/mutation/cloud-assembly.ts',
    setupFiles: 'test/mutation/setup.ts',
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
