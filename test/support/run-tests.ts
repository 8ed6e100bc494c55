import { fileURLToPath } from 'node:url';
import { runProgram, UserError } from 'customer-data-api-deployment/program';
import { startVitest } from 'vitest/node';
import project from '../../vitest.config.ts';
import { WAIT_MS } from './wait.ts';

/**
 * Runs tests that need something which not every machine has. Without it they are left out, or the
 * program fails with `--require`.
 *
 * @param missing finds what is not here of all that they need.
 * @param run runs those that lack nothing.
 */
export async function testProgram(
  script: string,
  missing: () => Promise<readonly string[]>,
  run: (missing: readonly string[]) => Promise<void>,
): Promise<void> {
  await runProgram(async () => {
    const names = await missing();
    const message = `There is no ${names.join(' and no ')} here, which npm run ${script} needs`;
    if (names.length > 0 && process.argv.includes('--require')) throw new UserError(`${message}.`);
    if (names.length > 0) process.stdout.write(`${message}: some tests are left out.\n`);
    await run(names);
  });
}

/**
 * Runs the tests in a folder that is no project of `npm test`. Vitest sets the exit code.
 *
 * @param files a glob of the names of their files, without `.test.ts`.
 * @param needsStack false if no test needs the synthesized stack, which takes seconds.
 */
export async function runTests(folder: string, files = '*', needsStack = true): Promise<void> {
  const options = {
    config: false as const,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    watch: false,
    include: [`${folder}/${files}.test.ts`],
    ...(needsStack && { globalSetup: 'test/support/cloud-assembly.ts' }),
    setupFiles: ['test/support/setup.ts', ...(needsStack ? ['test/support/synthesized.ts'] : [])],
    env: project.test?.env ?? {},
    // For a test that hangs: a client takes up to two minutes to build on a machine that is busy
    // with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: WAIT_MS } },
  };
  const sdk = fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url));
  // A clone has not built the app SDK.
  const alias = [{ find: /^customer-data-api-sdk$/, replacement: sdk }];
  const vitest = await startVitest('test', [], options, { resolve: { alias } });
  await vitest.close();
}
