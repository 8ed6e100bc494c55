import { Command } from 'commander';
import { UserId } from '../../../core/identifiers.ts';
import { confirm, expectConfirmation } from '../../deployment/confirm.ts';
import { findDeploymentToChange } from '../../deployment/deployment.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import { interruption } from '../../interruption.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  CLIENT_ID,
  type JsonOption,
  parserOf,
  type WriteOptions,
} from '../../options.ts';
import { progressBar } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';
import { wrapped } from '../../terminal/wrap-text.ts';
import { printErasure } from './erase.ts';

interface Options extends DeploymentOptions, WriteOptions, JsonOption {
  readonly user: string;
}

/** `./customer-data user`: what is stored about the users of apps. */
export function userCommand(terminal: Terminal): Command {
  return new Command('user').addCommand(eraseCommand(terminal));
}

function eraseCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('erase'))))
    .description(
      'erase the promo events of a user from the table, the queue and the dead-letter queue',
    )
    .argument(...CLIENT_ID)
    .requiredOption('--user <userId>', 'the userId, as the app sends it', parserOf(UserId))
    .action(async (clientId: string, { user, yes, dryRun, json, ...options }: Options) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeploymentToChange(options);
      using interrupted = interruption();
      const { signal } = interrupted;
      await printErasure(
        deployment.outputs,
        { clientId, userId: user },
        {
          json,
          print: json ? printTo(terminal) : wrapped(printTo(terminal), terminal.stdout),
          note: wrapped(noteTo(terminal), terminal.stderr),
          progress: (...work) => progressBar(terminal, ...work),
          confirm: () =>
            confirm(terminal, { deployment, question: 'Erase them?', isAnswered: yes, signal }),
          isDryRun: dryRun,
          signal,
        },
      );
    });
  return addExamples(
    command,
    'user erase demo --user jane --stack CustomerDataApi-prod --dry-run',
    'user erase demo --user jane --stack CustomerDataApi-prod',
  );
}
