import { Command, Option } from 'commander';
import { UserId } from '../../../core/identifiers.ts';
import { ApplyPromoCodeRequest } from '../../../functions/apply-promo-code/operation.ts';
import { findDeployment } from '../../deployment/deployment.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import { addExamples, addJsonOption, CLIENT_ID, type JsonOption, parserOf } from '../../options.ts';
import { printAll, type Terminal } from '../../terminal/terminal.ts';
import { copyCommand } from './copy.ts';
import { AS_CSV, AS_JSON, AS_TEXT } from './format.ts';
import { listEvents } from './list.ts';
import { readTimeOption } from './time.ts';

interface Options extends DeploymentOptions, JsonOption {
  readonly user?: string;
  readonly code?: string;
  readonly since?: string;
  readonly until?: string;
  readonly csv?: boolean;
  readonly searchDeadLetters?: boolean;
}

/** `./customer-data promo`: what became of promo codes. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo').addCommand(listCommand(terminal)).addCommand(copyCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('list')))
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
      'only events since a date, a time or a duration: 2026-11-21, 2026-11-21T09:30:00Z, 24h',
      readTimeOption,
    )
    .option('--until <time>', 'only events before such a time', readTimeOption)
    .addOption(
      new Option('--csv', 'print CSV with a header row, in the order of time').conflicts('json'),
    )
    .option('--search-dead-letters', 'also search the dead letters, which are not stored')
    .action(
      async (clientId: string, { user, code, since, until, csv, json, ...options }: Options) => {
        const { searchDeadLetters: searchesDeadLetters, ...target } = options;
        const { outputs } = await findDeployment(target);
        const filter = { clientId, userId: user, promoCode: code, since, until };
        const format = csv ? AS_CSV : json ? AS_JSON : AS_TEXT;
        const lines = listEvents(outputs, filter, { format, searchesDeadLetters }, terminal);
        await printAll(terminal, lines);
      },
    );
  return addExamples(
    command,
    'promo list demo --stack CustomerDataApi-prod --user jane',
    'promo list demo --stack CustomerDataApi-prod --user jane --search-dead-letters',
    'promo list demo --stack CustomerDataApi-prod --code SUMMER26 --since 24h',
    'promo list demo --stack CustomerDataApi-prod --csv > events.csv',
  );
}
