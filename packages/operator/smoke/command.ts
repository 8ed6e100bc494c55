import { type Command, Option } from 'commander';
import { findDeploymentToChange } from 'customer-data-api-deployment';
import {
  columnsOf,
  interruption,
  noteTo,
  printTo,
  type Terminal,
  UserError,
} from 'customer-data-api-deployment/program';
import { confirmChange } from '../confirm.ts';
import { type ChangeOptions, changeCommand } from '../options.ts';
import { describeRun, runSmoke } from './run.ts';

interface Options extends ChangeOptions {
  readonly apiUrl?: string;
  readonly withoutWrites?: boolean;
}

/** `./customer-data smoke`: checks of a deployment from outside. */
export function smokeCommand(terminal: Terminal): Command {
  return changeCommand('smoke', [
    'smoke --stack CustomerDataApi-prod',
    'smoke --stack CustomerDataApi-prod --dry-run',
    'smoke --stack CustomerDataApi-prod --without-writes',
    'smoke --local --json',
  ])
    .option(
      '--api-url <url>',
      'the base URL of the API, if it is not the output ApiUrl (custom domain)',
    )
    .addOption(
      new Option(
        '--without-writes',
        'make only the checks that need neither a user nor a client',
      ).conflicts(['dryRun', 'yes']),
    )
    .action(async ({ apiUrl, withoutWrites, yes, dryRun, json, ...options }: Options) => {
      const [print, note] = [printTo(terminal), noteTo(terminal)];
      const deployment = await findDeploymentToChange(options);
      if (dryRun) return describeRun(deployment, { apiUrl, json, print, note });
      await confirmChange(terminal, {
        deployment,
        isAnswered: withoutWrites || yes || !deployment.isProduction,
        question: 'Create a user and a client for the checks, and remove them at the end?',
      });
      using interrupted = interruption(terminal);
      const isGood = await runSmoke(deployment, {
        apiUrl,
        withoutWrites,
        json,
        print,
        note,
        columns: columnsOf(terminal.stdout),
        signal: interrupted.signal,
      });
      // The checks have said what is wrong.
      if (!isGood) throw new UserError('', 'problemsFound');
    });
}
