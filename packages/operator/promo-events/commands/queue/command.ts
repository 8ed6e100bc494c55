import { Command } from 'commander';
import { counted } from 'customer-data-api/configuration';
import { findDeployment, sqsClient } from 'customer-data-api-deployment';
import type { Terminal } from 'customer-data-api-deployment/program';
import { interruption } from 'customer-data-api-deployment/program';
import {
  type ChangeOptions,
  changeCommand,
  type ReadOptions,
  readCommand,
} from '../../../options.ts';
import { SqsQueue } from '../../sqs-queue.ts';
import { printRedrive } from './redrive.ts';
import { printReplay } from './replay.ts';
import { changeMessages, type Run, runOf } from './run.ts';

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
  return readCommand('show', [
    'queue show --stack CustomerDataApi-prod',
    'queue show --stack CustomerDataApi-prod --json',
  ])
    .description('show the promo events in the dead-letter queue')
    .action(async ({ json, ...options }: ReadOptions) => {
      const { outputs } = await findDeployment(options);
      using interrupted = interruption();
      const run = runOf(terminal, outputs, interrupted.signal, json);
      await printRedrive(run, { moves: false, inspects: json });
    });
}

function redriveCommand(terminal: Terminal): Command {
  return changeCommand('redrive', ['queue redrive --stack CustomerDataApi-prod'])
    .description('move the promo events in the dead-letter queue back, to be stored')
    .action((options: ChangeOptions) =>
      changeMessages(
        terminal,
        options,
        async (run) => {
          const { found, erased } = await printRedrive(run, { moves: false });
          if (found > 0) return 'Move them back to the queue?';
          return erased > 0 ? 'Delete those of erased users?' : undefined;
        },
        (run) => printRedrive(run, { moves: true }),
      ),
    );
}

function removeCommand(terminal: Terminal): Command {
  return changeCommand('remove', [
    'queue remove 75f68cf1-be2f-4e44-8b0a-0a4fe5b3a8a0 --stack CustomerDataApi-prod',
  ])
    .description('remove messages that are not promo events from the dead-letter queue')
    .argument('<messageId...>', 'their ids, as queue show prints them')
    .action((removes: string[], options: ChangeOptions) =>
      changeMessages(
        terminal,
        options,
        async (run) => {
          await printRedrive(run, { moves: false });
          return `Remove ${counted(removes.length, 'message')} for good?`;
        },
        (run) => printRedrive(run, { moves: false, removes }),
      ),
    );
}

function replayCommand(terminal: Terminal): Command {
  return changeCommand('replay', [
    'queue replay --stack CustomerDataApi-prod',
    'queue replay --stack CustomerDataApi-prod --dry-run',
  ])
    .description('publish the promo events that did not reach the event bus')
    .option('--remove <messageId...>', 'instead, remove these dead letters without publishing them')
    .action(({ remove, ...options }: ChangeOptions & { readonly remove?: string[] }) =>
      changeMessages(
        terminal,
        options,
        async (run) => {
          const found = await printReplay(run, { publishes: false });
          if (remove) return `Remove ${counted(remove.length, 'dead letter')} for good?`;
          if (found.publishable > 0) return 'Publish them on the event bus?';
          return found.noLongerStored > 0
            ? 'Remove the dead letters whose items are no longer in the table?'
            : undefined;
        },
        (run) => printReplay(run, { publishes: !remove, removes: remove }),
      ),
    );
}

function purgeHistoryCommand(terminal: Terminal): Command {
  return changeCommand('purge-history', ['queue purge-history --stack CustomerDataApi-prod'])
    .description('remove the dead letters of the history, once their clients are published again')
    .action((options: ChangeOptions) =>
      changeMessages(
        terminal,
        options,
        async (run) => {
          const found = await printPurge(run, false);
          const question = `Remove ${counted(found, 'dead letter')} of the history for good?`;
          return found > 0 ? question : undefined;
        },
        (run) => printPurge(run, true),
      ),
    );
}

/**
 * Counts the dead letters of the history or, with `removes`, removes all of them. They are
 * positions in a stream and name no client, so there is nothing to choose from: the log names the
 * clients.
 *
 * @returns how many it found.
 */
async function printPurge({ outputs, json, print }: Run, removes: boolean): Promise<number> {
  using sqs = sqsClient(outputs);
  const messages = new SqsQueue(sqs, outputs.ConfigVersionsDeadLetterQueueUrl);
  const deadLetters = await messages.length();
  const removed = removes ? deadLetters : 0;
  if (removed > 0) await messages.purge();
  if (json) print(JSON.stringify({ deadLetters, removed }));
  else print(`Dead letters of the history: ${deadLetters}${removed > 0 ? ', removed' : ''}`);
  return deadLetters;
}
