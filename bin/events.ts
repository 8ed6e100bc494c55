import { join, relative } from 'node:path';
import { Command } from 'commander';
import { runCommand } from '../core/platform/command-error.ts';
import { EVENTS_FILE } from '../local/event-bus.ts';
import { readEventPattern } from '../local/event-pattern.ts';
import { FOLDER_OPTION } from '../local/folder-option.ts';
import { followLines } from '../local/follow.ts';

interface Options {
  readonly folder: string;
  readonly pattern?: string;
  readonly follow: boolean;
}

const command = new Command('npm run --silent events --')
  .description(
    'Prints the events on the bus of the local server, one JSON document per line, and follows it until Ctrl-C',
  )
  .option('--pattern <json>', 'only events that a rule with this event pattern would receive')
  .option('--no-follow', 'end after the events so far')
  .addOption(FOLDER_OPTION)
  .action((options: Options) => runCommand(() => printEvents(options)));

await command.parseAsync();

async function printEvents({ folder, pattern, follow }: Options): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // The reader of a pipe has seen enough.
  process.stdout.on('error', () => process.exit());
  if (!follow) stop();
  const matches = pattern === undefined ? () => true : readEventPattern(pattern);
  for await (const line of followLines(relative('', join(folder, EVENTS_FILE)), stopped.signal)) {
    if (matches(JSON.parse(line))) process.stdout.write(`${line}\n`);
  }
}
