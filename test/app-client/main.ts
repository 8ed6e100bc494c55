/** Tests the app client in the engines and with the compiler of apps, and its retries at length. */
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { CommandError, runCommand } from '../../core/platform/command-error.ts';
import { findBrowser, findHermes } from './engines.ts';

const command = new Command('npm run test:app-client --')
  .description('Tests the app client in Chromium, in Hermes and with TypeScript 5.0')
  .option('--require', 'fail if there is no Chromium, or Hermes does not run here')
  .action(({ require = false }: { require?: boolean }) =>
    runCommand(async () => {
      const missing = [
        ...((await findBrowser()) ? [] : ['Chromium']),
        ...((await findHermes()) ? [] : ['Hermes']),
      ];
      if (missing.length > 0) {
        const message = `There is no ${missing.join(' and no ')} here`;
        if (require) throw new CommandError(`${message}, which the tests of the app client need.`);
        process.stdout.write(`${message}: its test is left out.\n`);
      }
      // Vitest sets the exit code.
      const vitest = await startVitest('test', [], {
        config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
        root: fileURLToPath(new URL('../..', import.meta.url)),
        watch: false,
      });
      await vitest.close();
    }),
  );

await command.parseAsync();
