import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import {
  type CopyOptions,
  copyEvents,
  eraseAgain,
} from '../../../admin/promo-events/copy-events.ts';
import { readErasures } from '../../../admin/promo-events/erasures.ts';
import { counted } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { documentClient } from '../../deployment/aws-clients.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { findDeploymentToChange } from '../../deployment/deployment.ts';
import type { Outputs } from '../../deployment/outputs.ts';
import { interruption } from '../../interruption.ts';
import { type ChangeOptions, changeCommand } from '../../options.ts';
import { progressBar } from '../../terminal/progress.ts';
import { printTo, type Terminal } from '../../terminal/terminal.ts';
import { readTimeOption } from './time.ts';

interface Options extends ChangeOptions {
  readonly since: string;
}

/** `./customer-data promo copy`: brings a restored table up to date before it is used. */
export function copyCommand(terminal: Terminal): Command {
  return changeCommand('copy', [
    'promo copy promo-events-restored --since 2026-11-20T09:30Z --stack CustomerDataApi-prod',
  ])
    .description('copy promo events into a restored table, and repeat erasures in it')
    .argument('<table>', 'the restored table')
    .requiredOption('--since <time>', 'the time to which it was restored', readTimeOption)
    .action(async (table: string, { since, yes, dryRun = false, json, ...options }: Options) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeploymentToChange(options);
      if (!dryRun) {
        const question = `Nothing may write to ${deployment.outputs.PromoEventsTableName} any more. Copy from it into ${table}?`;
        await confirmChange(terminal, { deployment, question, isAnswered: yes });
      }
      using interrupted = interruption();
      const run = { since, writes: !dryRun, signal: interrupted.signal };
      const done = await copy(deployment.outputs, table, run, terminal);
      const [copied, removed] = dryRun ? ['Would copy', 'remove'] : ['Copied', 'removed'];
      printTo(terminal)(
        json
          ? JSON.stringify(done)
          : `${copied} ${counted(done.copied, 'promo event')}, and ${removed} ${counted(done.erased, 'promo event')} of users who were erased since.`,
      );
      if (done.late > 0) {
        throw new UserError(
          `${counted(done.late, 'promo event')} came while the table was copied, so it is still written to. Deny it writes, and run this again.`,
          'incomplete',
        );
      }
    });
}

/** @returns the number of events copied, removed, and found only when it looked a second time. */
async function copy(
  outputs: Outputs,
  to: string,
  run: Pick<CopyOptions, 'since' | 'writes' | 'signal'>,
  terminal: Terminal,
) {
  using bar = progressBar(terminal, 'Promo events read');
  const { ErasuresTableName, PromoEventsTableName } = outputs;
  using documents = documentClient(outputs);
  const options: CopyOptions = {
    ...{ ...run, documentClient: documents, from: PromoEventsTableName, to, onRead: bar.show },
  };
  try {
    const copied = await copyEvents(options);
    const late = run.writes ? await copyEvents(options) : 0;
    const erasures = ErasuresTableName
      ? await readErasures({ documentClient: documents, tableName: ErasuresTableName }, run.since)
      : new Map();
    return { copied, erased: await eraseAgain(erasures, options), late };
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new UserError(`There is no table ${to} in ${outputs.Region}.`, 'usage');
  }
}
