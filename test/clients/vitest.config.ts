import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.ts';

/** The tests of generated clients. `main.ts` generates and builds the clients before. */
export default defineConfig({
  test: {
    include: ['test/clients/*.test.ts'],
    globalSetup: 'test/support/cloud-assembly.ts',
    setupFiles: 'test/support/setup.ts',
    env: project.test?.env ?? {},
    // For a test that hangs: a client takes up to two minutes to build on a machine that is busy with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
