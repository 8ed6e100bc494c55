import { Command } from 'commander';
import { counted } from '../../../core/text.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { findDeployment, findDeploymentToChange } from '../../deployment/deployment.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import { interruption } from '../../interruption.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  type JsonOption,
  type WriteOptions,
} from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { purgeHistory } from './purge-history.ts';
import { printRedrive, type RedriveTask } from './redrive.ts';
import { printReplay } from './replay.ts';
import { beforeQuestion, outputOf } from './run-output.ts';

interface MoveOptions extends DeploymentOptions, WriteOptions, JsonOption {
  readonly remove?: string[];
}

/** `./customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal))
    .addCommand(removeCommand(terminal))
    .addCommand(replayCommand(terminal))
    .addCommand(purgeHistoryCommand(terminal));
}

function showCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('show')))
    .description('show the promo events in the dead-letter queue')
    .action(async ({ json, ...options }: DeploymentOptions & JsonOption) => {
      const { outputs } = await findDeployment(options);
      using interrupted = interruption();
      const output = outputOf(terminal, json, interrupted);
      await printRedrive(outputs, { moves: false, inspects: json }, output);
    });
  return addExamples(
    command,
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --json',
  );
}

function redriveCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('redrive'))))
    .description('move the promo events in the dead-letter queue back, to be stored')
    .action((options: DeploymentOptions & WriteOptions & JsonOption) =>
      changeDeadLetters(terminal, { moves: true }, 'Move them back to the queue?', options),
    );
  return addExamples(command, 'queue redrive --stack CustomerDataApi-prod');
}

function removeCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('remove'))))
    .description('remove messages that are not promo events from the dead-letter queue')
    .argument('<messageId...>', 'their ids, as queue show prints them')
    .action((removes: string[], options: DeploymentOptions & WriteOptions & JsonOption) => {
      const question = `Remove ${counted(removes.length, 'message')} for good?`;
      return changeDeadLetters(terminal, { moves: false, removes }, question, options);
    });
  return addExamples(
    command,
    'queue remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0 --stack CustomerDataApi-prod',
  );
}

/** Shows the dead letters, asks, and moves or removes them. */
async function changeDeadLetters(
  terminal: Terminal,
  task: RedriveTask,
  question: string,
  { yes, dryRun, json, ...options }: DeploymentOptions & WriteOptions & JsonOption,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const deployment = await findDeploymentToChange(options);
  const { outputs } = deployment;
  using interrupted = interruption();
  const output = outputOf(terminal, json, interrupted);
  if (dryRun) {
    await printRedrive(outputs, { moves: false }, output);
    return;
  }
  if (!yes) {
    const events = await printRedrive(outputs, { moves: false }, beforeQuestion(output));
    if (events === 0 && task.moves) return;
    await confirmChange(terminal, { deployment, question, signal: output.signal });
  }
  await printRedrive(outputs, task, output);
}

function replayCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('replay'))))
    .description('publish the promo events that did not reach the event bus')
    .option('--remove <messageId...>', 'instead, remove these dead letters without publishing them')
    .action(async ({ remove, yes, dryRun, json, ...options }: MoveOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeploymentToChange(options);
      const { outputs } = deployment;
      using interrupted = interruption();
      const output = outputOf(terminal, json, interrupted);
      if (dryRun) {
        await printReplay(outputs, { publishes: false }, output);
        return;
      }
      if (!yes) {
        const found = await printReplay(outputs, { publishes: false }, beforeQuestion(output));
        const { publishable, noLongerStored } = found;
        if (publishable + noLongerStored === 0 && !remove) return;
        const question = remove
          ? `Remove ${counted(remove.length, 'dead letter')} for good?`
          : publishable > 0
            ? 'Publish them on the event bus?'
            : 'Remove the dead letters whose items are no longer in the table?';
        await confirmChange(terminal, { deployment, question, signal: output.signal });
      }
      await printReplay(outputs, { publishes: !remove, removes: remove }, output);
    });
  return addExamples(
    command,
    'queue replay --stack CustomerDataApi-prod',
    'queue replay --stack CustomerDataApi-prod --dry-run',
  );
}

function purgeHistoryCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('purge-history'))))
    .description('remove the dead letters of the history, once their clients are published again')
    .action((options: DeploymentOptions & WriteOptions & JsonOption) =>
      purgeHistory(terminal, options),
    );
  return addExamples(command, 'queue purge-history --stack CustomerDataApi-prod');
}
