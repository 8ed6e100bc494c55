import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import project from '../../vitest.config.ts';

/** Runs the tests in a folder that is no project of `npm test`. Vitest sets the exit code. */
export async function runTests(folder: string): Promise<void> {
  const vitest = await startVitest('test', [], {
    config: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    watch: false,
    include: [`${folder}/*.test.ts`],
    globalSetup: 'test/support/cloud-assembly.ts',
    setupFiles: 'test/support/setup.ts',
    env: project.test?.env ?? {},
    // For a test that hangs: a client takes up to two minutes to build on a machine that is busy
    // with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  });
  await vitest.close();
}
