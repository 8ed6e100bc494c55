/** Tests the console in Chromium. */
import { Command } from 'commander';
import { runProgram } from '../../cli/exit-codes.ts';
import { UserError } from '../../core/user-error.ts';
import { findBrowser } from '../support/browser.ts';
import { runTests } from '../support/run-tests.ts';

const command = new Command('npm run test:console --')
  .description('Tests the console in Chromium')
  .option('--require', 'fail if there is no Chromium')
  .action(({ require = false }: { require?: boolean }) =>
    runProgram(async () => {
      if (await findBrowser()) return runTests('test/console');
      const message = 'There is no Chromium here';
      if (require) throw new UserError(`${message}, which the tests of the console need.`);
      process.stdout.write(`${message}: the tests are left out.\n`);
    }),
  );

await command.parseAsync();
