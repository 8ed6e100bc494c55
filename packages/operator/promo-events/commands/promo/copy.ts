import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { counted } from 'customer-data-api/configuration';
import { documentClient, findDeploymentToChange } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import {
  interruption,
  printTo,
  progressBar,
  type Terminal,
  UserError,
} from 'customer-data-api-deployment/program';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import { type ChangeOptions, changeCommand } from '../../../options.ts';
import { type Copied, copyEvents } from '../../copy-events.ts';

/** `./customer-data promo copy`: brings a restored table up to date before it is used. */
export function copyCommand(terminal: Terminal): Command {
  return changeCommand('copy', ['promo copy promo-events-restored --stack CustomerDataApi-prod'])
    .description('copy what a restored table lacks, and repeat erasures in it')
    .argument('<table>', 'the restored table')
    .action(async (table: string, { yes, dryRun = false, json, ...options }: ChangeOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const deployment = await findDeploymentToChange(options);
      const { outputs } = deployment;
      if (table === outputs.PromoEventsTableName) {
        throw new UserError(
          `The deployment uses ${table} already. Name the restored table before you deploy it.`,
          'usage',
        );
      }
      if (!dryRun) {
        const question = `Nothing may write to ${outputs.PromoEventsTableName} any more. Copy from it into ${table}?`;
        await confirmChange(terminal, { deployment, question, isAnswered: yes });
      }
      const done = await copy(outputs, table, !dryRun, terminal);
      const [copied, removed] = dryRun ? ['Would copy', 'remove'] : ['Copied', 'removed'];
      printTo(terminal)(
        json
          ? JSON.stringify(done)
          : `${copied} ${counted(done.copied, 'promo event')}, and ${removed} ${done.erased} of erased users and ${done.expired} that had expired.`,
      );
      if (done.late > 0) {
        throw new UserError(
          `${counted(done.late, 'promo event')} came while the table was copied, so it is still written to. Deny it writes, and run this again.`,
          'incomplete',
        );
      }
    });
}

async function copy(
  outputs: Outputs,
  to: string,
  writes: boolean,
  terminal: Terminal,
): Promise<Copied> {
  using interrupted = interruption();
  using bar = progressBar(terminal, 'Promo events read');
  using documents = documentClient(outputs);
  const { ErasuresTableName: erasures, PromoEventsTableName: from } = outputs;
  const { signal } = interrupted;
  const places = { documentClient: documents, from, to, erasures };
  try {
    return await copyEvents({ ...places, writes, onRead: bar.show, signal });
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new UserError(`There is no table ${to} in ${outputs.Region}.`, 'usage');
  }
}
