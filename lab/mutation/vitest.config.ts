import { defineConfig } from 'vitest/config';
import { generateSigningKey } from '../../packages/deployment/local/issuer.ts';
import project from '../../vitest.config.ts';

/** The folders of the tests. */
const FOLDERS = process.env.MUTATION_TESTS?.split(',') ?? [
  'test/unit/{core,functions}',
  'test/integration/{core,functions}',
  'packages/editor/test/{unit,integration}/{clients,configurations}',
];

/**
 * The tests that run code in the process of vitest, where Stryker makes its mistakes. Tests of the
 * API run bundles in other threads.
 */
export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
    exclude: [
      // Random edits for ten seconds and more. Other tests notice most of these mistakes sooner.
      '**/edits-at-any-moment.test.ts',
    ],
    setupFiles: ['test/support/setup.ts', 'test/support/thrown-errors.ts'],
    provide: {
      cloudAssembly: process.env.MUTATION_CLOUD_ASSEMBLY ?? '',
      signingKey: await generateSigningKey(),
    },
    ...(project.test?.env && { env: project.test.env }),
    // For a mistake that lets a test hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
