import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.ts';

/** The tests of the app client in the engines and compilers of apps, and of its retries at length. */
export default defineConfig({
  test: {
    include: ['test/app-client/*.test.ts'],
    globalSetup: 'test/support/cloud-assembly.ts',
    setupFiles: 'test/support/setup.ts',
    env: project.test?.env ?? {},
    // For a test that hangs, also on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
