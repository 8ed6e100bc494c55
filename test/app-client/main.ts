/** Tests the app client in the engines and with the compiler of apps, and its retries at length. */
import { Command } from 'commander';
import { runProgram } from '../../cli/exit-codes.ts';
import { UserError } from '../../core/user-error.ts';
import { findBrowser } from '../support/browser.ts';
import { runTests } from '../support/run-tests.ts';
import { findHermes } from './engines.ts';

const command = new Command('npm run test:app-client --')
  .description('Tests the app client in Chromium, in Hermes and with TypeScript 5.0')
  .option('--require', 'fail if there is no Chromium, or Hermes does not run here')
  .action(({ require = false }: { require?: boolean }) =>
    runProgram(async () => {
      const missing = [
        ...((await findBrowser()) ? [] : ['Chromium']),
        ...((await findHermes()) ? [] : ['Hermes']),
      ];
      if (missing.length > 0) {
        const message = `There is no ${missing.join(' and no ')} here`;
        if (require) throw new UserError(`${message}, which the tests of the app client need.`);
        process.stdout.write(`${message}: its test is left out.\n`);
      }
      await runTests('test/app-client');
    }),
  );

await command.parseAsync();
