import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { runProgram } from '../../cli/exit-codes.ts';
import { UserError } from '../../core/user-error.ts';
import project from '../../vitest.config.ts';

/**
 * Runs tests that need something which not every machine has. Without it they are left out, or the
 * program fails with `--require`.
 *
 * @param missing finds what is not here of all that they need.
 * @param run runs those that lack nothing.
 */
export async function testProgram(
  script: string,
  description: string,
  missing: () => Promise<readonly string[]>,
  run: (missing: readonly string[]) => Promise<void>,
): Promise<void> {
  await new Command(`npm run ${script} --`)
    .description(description)
    .option('--require', 'fail if something is missing that the tests need')
    .action(({ require = false }: { require?: boolean }) =>
      runProgram(async () => {
        const names = await missing();
        const message = `There is no ${names.join(' and no ')} here, which npm run ${script} needs`;
        if (names.length > 0 && require) throw new UserError(`${message}.`);
        if (names.length > 0) process.stdout.write(`${message}: some tests are left out.\n`);
        await run(names);
      }),
    )
    .parseAsync();
}

/** Runs the tests in a folder that is no project of `npm test`. Vitest sets the exit code. */
export async function runTests(folder: string): Promise<void> {
  const vitest = await startVitest('test', [], {
    config: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    watch: false,
    include: [`${folder}/*.test.ts`],
    globalSetup: 'test/support/cloud-assembly.ts',
    setupFiles: ['test/support/setup.ts', 'test/support/synthesized.ts'],
    env: project.test?.env ?? {},
    // For a test that hangs: a client takes up to two minutes to build on a machine that is busy
    // with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  });
  await vitest.close();
}
