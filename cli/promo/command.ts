import { Command, InvalidArgumentError, Option } from 'commander';
import { UserId } from '../../core/identifiers.ts';
import {
  LISTED,
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
} from '../../core/promo-events/list-promo-events.ts';
import { printable } from '../../core/text.ts';
import { dynamodbClient } from '../aws-clients.ts';
import { addDeploymentOptions, type DeploymentOptions, findDeployment } from '../deployment.ts';
import { addExamples, addJsonOption, CLIENT_ID, type JsonOption, parserOf } from '../options.ts';
import type { Outputs } from '../outputs.ts';
import { progressBar } from '../progress.ts';
import { noteTo, printAll, type Terminal } from '../terminal.ts';
import { csvLine } from './csv.ts';
import { readSince } from './since.ts';

interface Options extends DeploymentOptions, JsonOption {
  readonly user?: string;
  readonly code?: string;
  readonly since?: string;
  readonly csv?: boolean;
}

/** `customer-data promo`: what became of promo codes. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo')
    .description('the promo events of a client')
    .addCommand(listCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('list')))
    .description('list the promo events of a client, by user and code')
    .argument(...CLIENT_ID)
    .option('--user <userId>', 'only those of this user, as the app sends it', parserOf(UserId))
    .option('--code <code>', 'only those of this promo code')
    .addOption(
      new Option(
        '--since <time>',
        'only those since a date, a time or a duration: 2026-11-21, 2026-11-21T09:30:00Z, 24h',
      ).argParser((text) => {
        const since = readSince(text, new Date());
        if (since) return since;
        throw new InvalidArgumentError(
          'It must be a date, a time in UTC, or a duration such as 30m, 24h or 7d.',
        );
      }),
    )
    .addOption(new Option('--csv', 'print CSV with a line of headings').conflicts('json'))
    .action(async (clientId: string, { user, code, since, csv, json, ...target }: Options) => {
      const { outputs } = await findDeployment(target);
      const filter = { clientId, userId: user, promoCode: code, since };
      const format = csv ? csvOf : json ? (event: object) => JSON.stringify(event) : lineOf;
      await printAll(terminal, lines(outputs, filter, format, csv ? csvLine(LISTED) : undefined));
    });
  return addExamples(
    command,
    'promo list demo --stack CustomerDataApi-prod --user jane',
    'promo list demo --stack CustomerDataApi-prod --code SUMMER26 --since 24h',
    'promo list demo --stack CustomerDataApi-prod --csv > events.csv',
  );

  async function* lines(
    outputs: Outputs,
    filter: PromoEventFilter,
    format: (event: ListedPromoEvent) => string,
    headings?: string,
  ): AsyncGenerator<string> {
    const dynamodb = dynamodbClient(outputs);
    // Where the list itself is on the terminal, it is the progress.
    using bar = progressBar(terminal, 'Listed');
    let count = 0;
    try {
      if (headings !== undefined) yield headings;
      const table = { dynamodb, tableName: outputs.PromoEventsTableName };
      for await (const event of listPromoEvents(table, filter)) {
        yield format(event);
        count++;
        if (!terminal.stdout.isTTY) bar.show(count);
      }
      if (count === 0) noteTo(terminal)('There are no such promo events.');
    } finally {
      dynamodb.destroy();
    }
  }
}

function csvOf(event: ListedPromoEvent): string {
  return csvLine(LISTED.map((name) => event[name] ?? ''));
}

function lineOf({
  receivedAt = '',
  kind = '',
  promoCode = '',
  userId = '',
}: ListedPromoEvent): string {
  const columns = [receivedAt.padEnd(24), kind.padEnd(8), promoCode.padEnd(10), userId];
  return columns.map(printable).join('  ').trimEnd();
}
