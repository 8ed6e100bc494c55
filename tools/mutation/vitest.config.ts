import { defineConfig } from 'vitest/config';
import { generateSigningKey } from '../../local/cognito/issuer.ts';
import project from '../../vitest.config.ts';

/**
 * The tests that run the code in the process of vitest, where Stryker can put its mistakes in.
 * Tests of the API run bundles in other threads.
 */
export default defineConfig({
  test: {
    include: [
      'test/unit/{core,functions}/**/*.test.ts',
      'test/integration/{core,functions}/**/*.test.ts',
    ],
    // Many random edits, which take ten seconds and more: other tests notice most of these mistakes
    // sooner.
    exclude: ['**/edits-at-any-moment.test.ts'],
    setupFiles: ['test/support/setup.ts', 'test/support/thrown-errors.ts'],
    provide: {
      cloudAssembly: process.env.MUTATION_CLOUD_ASSEMBLY ?? '',
      signingKey: await generateSigningKey(),
    },
    // Each mistake runs the tests that reach it: fewer runs of each property than npm test has.
    env: { ...project.test?.env, FAST_CHECK_RUNS: '20' },
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
});
