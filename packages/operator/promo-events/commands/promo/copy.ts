import type { Command } from 'commander';
import { counted } from 'customer-data-api/configuration';
import type { Terminal } from 'customer-data-api-deployment/program';
import { type ChangeOptions, changeCommand } from '../../../options.ts';
import { runChange } from '../../../run-change.ts';
import { type Copied, promoEventsCopy } from '../../copy.ts';

/** `./customer-data promo copy`: brings a restored table up to date before it is used. */
export function copyCommand(terminal: Terminal): Command {
  return changeCommand('copy', ['promo copy promo-events-restored --stack CustomerDataApi-prod'])
    .description('copy what a restored table lacks, and repeat erasures in it')
    .argument('<table>', 'the restored table')
    .action((table: string, options: ChangeOptions) =>
      runChange(terminal, options, promoEventsCopy(table), {
        counted: 'Promo events read',
        shown: () => [],
        would: ({ copied }) => [describe(copied, 'Would copy', 'remove')],
        question: ({ from }) =>
          `Nothing may write to ${from} any more. Copy from it into ${table}?`,
        done: () => [],
        result: (copied) => [describe(copied, 'Copied', 'removed')],
        json: ({ copied: found }, done) => {
          const { copied, erased, expired, late } = done ?? found;
          return { copied, erased, expired, late };
        },
      }),
    );
}

function describe({ copied, erased, expired }: Copied, copies: string, removes: string): string {
  return `${copies} ${counted(copied, 'promo event')}, and ${removes} ${erased} of erased users and ${expired} that had expired.`;
}
