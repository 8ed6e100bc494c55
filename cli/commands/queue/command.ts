import { Command } from 'commander';
import { counted } from '../../../core/text.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import {
  addDeploymentOptions,
  type DeploymentOptions,
  findDeployment,
} from '../../deployment/deployment.ts';
import { type Interruption, interruption } from '../../interruption.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  type JsonOption,
  type WriteOptions,
} from '../../options.ts';
import { progressBar, type StartProgress } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';
import { redrive } from './redrive.ts';
import { replay } from './replay.ts';

interface ShowOptions extends DeploymentOptions, JsonOption {
  readonly inspect?: boolean;
}

interface MoveOptions extends DeploymentOptions, WriteOptions, JsonOption {
  readonly remove?: string[];
}

/** `customer-data queue`: promo events that wait, or that were not stored or published. */
export function queueCommand(terminal: Terminal): Command {
  return new Command('queue')
    .description('promo events that could not be stored or did not reach the event bus')
    .addCommand(showCommand(terminal))
    .addCommand(redriveCommand(terminal))
    .addCommand(replayCommand(terminal));
}

function showCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('show')))
    .description('show the promo events in the dead-letter queue')
    .option('--inspect', 'show the content of messages that are not promo events')
    .action(async ({ inspect, json, ...options }: ShowOptions) => {
      const { outputs } = await findDeployment(options);
      using interrupted = interruption();
      await redrive(outputs, {
        ...{ move: false, inspect, json, print: printTo(terminal) },
        ...commonOptions(terminal, interrupted),
      });
    });
  return addExamples(
    command,
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --inspect',
  );
}

function redriveCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('redrive'))))
    .description('move the promo events in the dead-letter queue back, to be stored')
    .option(
      '--remove <messageId...>',
      'remove these messages instead; they must not be promo events',
    )
    .action(async ({ remove, yes, dryRun, json, ...options }: MoveOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeployment(options);
      const { outputs } = deployment;
      using interrupted = interruption();
      const common = commonOptions(terminal, interrupted);
      const print = printTo(terminal);
      if (dryRun) {
        await redrive(outputs, { ...common, move: false, json, print });
        return;
      }
      if (!yes) {
        const events = await redrive(outputs, { ...common, move: false, print: common.note });
        if (events === 0 && !remove) return;
        const question = remove
          ? `Remove ${counted(remove.length, 'message')} for good?`
          : 'Move them back to the queue?';
        const { signal } = common;
        await confirmChange(terminal, { deployment, question, signal });
      }
      await redrive(outputs, { ...common, move: !remove, remove, json, print });
    });
  return addExamples(
    command,
    'queue redrive --stack CustomerDataApi-prod',
    'queue redrive --stack CustomerDataApi-prod --remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0',
  );
}

function replayCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('replay'))))
    .description('publish the promo events that did not reach the event bus')
    .option('--remove <messageId...>', 'instead, remove these dead letters without publishing them')
    .action(async ({ remove, yes, dryRun, json, ...options }: MoveOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeployment(options);
      const { outputs } = deployment;
      using interrupted = interruption();
      const common = commonOptions(terminal, interrupted);
      const print = printTo(terminal);
      if (dryRun) {
        await replay(outputs, { ...common, publish: false, json, print });
        return;
      }
      if (!yes) {
        const found = await replay(outputs, { ...common, publish: false, print: common.note });
        const { publishable, noLongerStored } = found;
        if (publishable + noLongerStored === 0 && !remove) return;
        const question = remove
          ? `Remove ${counted(remove.length, 'dead letter')} for good?`
          : publishable > 0
            ? 'Publish them on the event bus?'
            : 'Remove the dead letters whose items are no longer in the table?';
        const { signal } = common;
        await confirmChange(terminal, { deployment, question, signal });
      }
      await replay(outputs, { ...common, publish: !remove, remove, json, print });
    });
  return addExamples(
    command,
    'queue replay --stack CustomerDataApi-prod',
    'queue replay --stack CustomerDataApi-prod --dry-run',
  );
}

/** What all of these commands do alike. */
function commonOptions(terminal: Terminal, { signal }: Interruption) {
  const progress: StartProgress = (...work) => progressBar(terminal, ...work);
  return { note: noteTo(terminal), progress, signal };
}
