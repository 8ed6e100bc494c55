import { type Command, Option } from 'commander';
import { counted } from 'customer-data-api/configuration';
import { plainText, type Sentence } from 'customer-data-api/sentences';
import { AwsError, type Deployment, findDeployment } from 'customer-data-api-deployment';
import { type ReadOptions, readCommand } from 'customer-data-api-deployment/commands';
import {
  columnsOf,
  type Line,
  type Output,
  paint,
  printAll,
  printTo,
  progressBar,
  type Terminal,
  tableRows,
  UsageError,
  UserError,
  wrap,
} from 'customer-data-api-deployment/program';
import type { NamedResult } from '../results.ts';
import type { Status } from '../words.ts';

const row = tableRows(9, 12);
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red', unchecked: 'yellow' } as const;

/** `./customer-data doctor`: what a deployment needs and lacks. */
export function doctorCommand(terminal: Terminal): Command {
  return readCommand('doctor', [
    'doctor --stack CustomerDataApi-prod',
    'doctor --local --json',
    'doctor --stage prod',
  ])
    .addOption(
      new Option(
        '--stage <name>',
        'check that the account, and the user pool of this stage, are ready for its deployment',
      ).conflicts(['local', 'outputs', 'stack']),
    )
    .option('--stages <folder>', 'with --stage: the folder of its file, in place of stages/')
    .action(async ({ json, stage, stages, ...options }: Options) => {
      if (stages !== undefined && stage === undefined) {
        throw new UsageError('--stages needs --stage NAME.');
      }
      const counts = { ok: 0, warning: 0, error: 0, unchecked: 0 };
      const results =
        stage === undefined
          ? ofDeployment(await findDeployment(options), terminal)
          : (await import('../account.ts')).checkAccount(stage, stages);
      if (!json) printTo(terminal)(row('STATUS', 'CHECK', 'RESULT'));
      await printAll(terminal, lines(results, counts, terminal, json));
      const { error, warning, unchecked } = counts;
      const summary = `${counted(error, 'error')}, ${counted(warning, 'warning')}, ${unchecked} unchecked.`;
      if (error > 0) throw new UserError(summary, 'problemsFound');
      if (unchecked > 0) throw new AwsError(summary, 'unchecked');
    });
}

interface Options extends ReadOptions {
  readonly stage?: string;
  readonly stages?: string;
}

/* Imported when they run: no other command needs what they load. */

async function* ofDeployment(
  deployment: Deployment,
  terminal: Terminal,
): AsyncGenerator<NamedResult> {
  const { checkDeployment } = await import('../deployment.ts');
  using bar = progressBar(terminal, 'Clients checked', !terminal.stdout.isTTY);
  yield* checkDeployment(deployment, bar.show);
}

async function* lines(
  results: AsyncGenerator<NamedResult>,
  counts: Record<Status, number>,
  terminal: Terminal,
  json = false,
): AsyncGenerator<Line> {
  for await (const result of results) {
    counts[result.status]++;
    // Whoever forwards the message alone forwards what to do, too.
    if (json) yield JSON.stringify({ ...result, message: plainText(inFull(result)) });
    else yield* resultLines(result, terminal.stdout);
  }
}

/** Adds the place of the document to the message. */
function inFull({ message, document }: NamedResult): Sentence {
  return document === undefined ? message : [...message, ` docs/${document}`];
}

function resultLines(result: NamedResult, stream: Output): Line[] {
  const { status, check } = result;
  const [first, second] = [status.padEnd(9), check.padEnd(12)];
  const indent = ' '.repeat(row(first, second, '.').length - 1);
  const [start = '', ...others] = wrap(inFull(result), columnsOf(stream), indent);
  return [[paint(COLOURS[status], first), `  ${second}  ${start.trimStart()}`], ...others];
}
