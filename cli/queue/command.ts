import { Command } from 'commander';
import { counted } from '../../core/text.ts';
import { confirmChange, expectConfirmation } from '../confirm.ts';
import { addDeploymentOptions, type DeploymentOptions, findDeployment } from '../deployment.ts';
import { interruption } from '../interruption.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  type JsonOption,
  type WriteOptions,
} from '../options.ts';
import { progressBar } from '../progress.ts';
import { printTo, type Terminal } from '../terminal.ts';
import { redrive } from './redrive.ts';
import { replay } from './replay.ts';

interface ShowOptions extends DeploymentOptions, JsonOption {
  readonly inspect?: boolean;
}

interface MoveOptions extends DeploymentOptions, WriteOptions {
  readonly remove?: string[];
}

/** `customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .description('promo events that could not be stored, or that the event bus did not receive')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal))
    .addCommand(replayCommand(terminal));
}

function showCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('show')))
    .description('show the promo events in the dead-letter queue, which could not be stored')
    .option('--inspect', 'show the content of messages that are not promo events')
    .action(async ({ inspect, json, ...options }: ShowOptions) => {
      const { outputs } = await findDeployment(options);
      using bar = progressBar(terminal, 'Dead letters read');
      await redrive(outputs, {
        ...{ move: false, inspect, json, print: printTo(terminal) },
        ...{ progress: bar.show, signal: interruption() },
      });
    });
  return addExamples(
    command,
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --inspect',
  );
}

function redriveCommand(terminal: Terminal): Command {
  const command = addWriteOptions(addDeploymentOptions(new Command('redrive')))
    .description('move the promo events in the dead-letter queue back to the queue, to be stored')
    .option('--remove <messageId...>', 'instead, remove these messages, which are not promo events')
    .action(async ({ remove, yes, dryRun, ...options }: MoveOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeployment(options);
      using bar = progressBar(terminal, 'Dead letters read');
      const common = { print: printTo(terminal), progress: bar.show, signal: interruption() };
      if (!yes) {
        const events = await redrive(deployment.outputs, { ...common, move: false });
        if (dryRun || (events === 0 && !remove)) return;
        const question = remove
          ? `Remove ${counted(remove.length, 'message')} for good?`
          : 'Move them back to the queue?';
        const { signal } = common;
        await confirmChange(terminal, { deployment, question, signal });
      }
      await redrive(deployment.outputs, { ...common, move: !remove, remove });
    });
  return addExamples(
    command,
    'queue redrive --stack CustomerDataApi-prod',
    'queue redrive --stack CustomerDataApi-prod --remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0',
  );
}

function replayCommand(terminal: Terminal): Command {
  const command = addWriteOptions(addDeploymentOptions(new Command('replay')))
    .description('publish the promo events that the event bus did not receive')
    .option('--remove <messageId...>', 'instead, remove these dead letters without publishing them')
    .action(async ({ remove, yes, dryRun, ...options }: MoveOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeployment(options);
      const common = { print: printTo(terminal), signal: interruption() };
      if (!yes) {
        const events = await replay(deployment.outputs, { ...common, publish: false });
        if (dryRun || (events === 0 && !remove)) return;
        const question = remove
          ? `Remove ${counted(remove.length, 'dead letter')} for good?`
          : 'Publish them on the event bus?';
        await confirmChange(terminal, { deployment, question, signal: common.signal });
      }
      await replay(deployment.outputs, { ...common, publish: !remove, remove });
    });
  return addExamples(
    command,
    'queue replay --stack CustomerDataApi-prod',
    'queue replay --stack CustomerDataApi-prod --dry-run',
  );
}
