import { dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { generateSigningKey } from '../../local/issuer.ts';
import project from '../../vitest.config.ts';
import { CLOUD_ASSEMBLY, MUTATED_FILES } from './environment.ts';

const mutated = (process.env[MUTATED_FILES] ?? '').split(',');
/** The paths of the test files that mirror the mutated ones, up to a dot. */
const mirrors = mutated.flatMap((file) =>
  ['unit', 'integration'].map((kind) => `/test/${kind}/${file.replace(/\.ts$/, '')}.`),
);
/** The folders of unit tests that mirror those of the mutated files. */
const folders = mutated.map((file) => `/test/unit/${dirname(file)}/`);

/**
 * The order of the test files, by a part of their paths: the first test that fails ends the run of a mutant. The OpenAPI
 * document has most of the values that mutants change while a module is imported.
 */
const ORDER = [
  ...mirrors,
  '/test/unit/openapi/document.test.ts',
  ...folders,
  '/test/unit/',
  '/test/integration/',
];

/** Tests of many random runs, which take ten seconds and more. Most mistakes that they notice, another test notices sooner. */
const SLOW = /edits-at-any-moment|promo-events-table/;

class FastFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      SLOW.test(moduleId) ? ORDER.length : ORDER.findIndex((part) => moduleId.includes(part));
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * The tests that run code of `core/` and `functions/` in the process of vitest, where Stryker can put its mutants in. Tests
 * of the API run bundles in other threads.
 */
export default defineConfig({
  test: {
    include: [
      'test/unit/{core,functions,openapi}/**/*.test.ts',
      // The command prints what the check of a configuration says.
      'test/unit/cli/config/*.test.ts',
      'test/integration/{core,functions}/**/*.test.ts',
    ],
    sequence: { sequencer: FastFirst },
    setupFiles: ['test/mutation/setup.ts', 'test/support/thrown-errors.ts'],
    provide: {
      cloudAssembly: process.env[CLOUD_ASSEMBLY] ?? '',
      signingKey: await generateSigningKey(),
    },
    env: project.test?.env ?? {},
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
});
