import { Command, Option } from 'commander';
import { UserId } from '../../../core/identifiers.ts';
import { ApplyPromoCodeRequest } from '../../../functions/apply-promo-code/operation.ts';
import { findDeployment } from '../../deployment/deployment.ts';
import { CLIENT_ID, parserOf, type ReadOptions, readCommand } from '../../options.ts';
import { printAll, type Terminal } from '../../terminal/terminal.ts';
import { copyCommand } from './copy.ts';
import { type ListOptions, listEvents } from './list.ts';
import { readTimeOption } from './time.ts';

interface Options extends ReadOptions, ListOptions {
  readonly user?: string;
  readonly code?: string;
  readonly since?: string;
  readonly until?: string;
  readonly json?: boolean | undefined;
}

/** `./customer-data promo`: what became of promo codes. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo').addCommand(listCommand(terminal)).addCommand(copyCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return readCommand('list', [
    'promo list demo --stack CustomerDataApi-prod --user jane',
    'promo list demo --stack CustomerDataApi-prod --user jane --search-dead-letters',
    'promo list demo --stack CustomerDataApi-prod --code SUMMER26 --since 24h',
    'promo list demo --stack CustomerDataApi-prod --csv > events.csv',
  ])
    .description('list the promo events of a client, by user and code')
    .argument(...CLIENT_ID)
    .option('--user <userId>', 'only this userId, as the app sends it', parserOf(UserId))
    .option(
      '--code <code>',
      'only this promo code',
      parserOf(ApplyPromoCodeRequest.entries.promoCode),
    )
    .option(
      '--since <time>',
      'only events since a day or a time of this machine, or a duration: today, 2026-11-21, 2026-11-21T09:30, 2026-11-21T09:30Z, 24h',
      readTimeOption,
    )
    .option('--until <time>', 'only events before such a time', readTimeOption)
    .addOption(
      new Option(
        '--csv',
        'print CSV with a header row, in the order of time; localTime is that of this machine',
      ).conflicts('json'),
    )
    .option('--search-dead-letters', 'also search the dead letters, which are not stored')
    .action(async (clientId: string, { user, code, since, until, ...options }: Options) => {
      const { outputs } = await findDeployment(options);
      const filter = { clientId, userId: user, promoCode: code, since, until };
      await printAll(terminal, listEvents(outputs, filter, options, terminal));
    });
}
