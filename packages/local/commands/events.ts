import { join, relative } from 'node:path';
import { Command } from 'commander';
import { FOLDER_OPTION } from 'customer-data-api-deployment/local';
import { interruption, printAll, runProgram } from 'customer-data-api-deployment/program';
import { EVENTS_FILE } from '../events/event-bus.ts';
import { readEventPattern } from '../events/event-pattern.ts';
import { followLines } from '../events/follow.ts';

interface Options {
  readonly folder: string;
  readonly pattern?: string;
  readonly follow: boolean;
}

const command = new Command('npm run --silent events --')
  .description(
    'Prints the events on the bus of the local server as JSON, and follows new ones until Ctrl-C',
  )
  .option('--pattern <json>', 'print only events that match this EventBridge event pattern')
  .option('--no-follow', 'print the events so far and exit')
  .addOption(FOLDER_OPTION)
  .action((options: Options) => runProgram(() => printAll(process, events(options))));

await command.parseAsync();

async function* events({ folder, pattern, follow }: Options): AsyncGenerator<string> {
  // With nothing to wait for, the first Ctrl-C ends the process as usual.
  using interrupted = follow ? interruption() : undefined;
  const signal = interrupted?.signal ?? AbortSignal.abort();
  const matches = pattern === undefined ? () => true : readEventPattern(pattern);
  for await (const line of followLines(shortest(join(folder, EVENTS_FILE)), signal)) {
    const event: unknown = JSON.parse(line);
    if (matches(event)) yield JSON.stringify(event);
  }
}

/** Returns a file's path from here, or from the root if it is not below this directory. */
function shortest(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}
