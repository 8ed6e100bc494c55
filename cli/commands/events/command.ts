import { join, relative } from 'node:path';
import { Command } from 'commander';
import { readEventPattern } from '../../../admin/promo-events/event-pattern.ts';
import { EVENTS_FILE } from '../../../local/events/event-bus.ts';
import { FOLDER_OPTION } from '../../../local/folder-option.ts';
import { interruption } from '../../interruption.ts';
import { addExamples, addJsonOption } from '../../options.ts';
import { printAll, type Terminal } from '../../terminal/terminal.ts';
import { followLines } from './follow.ts';

interface Options {
  readonly folder: string;
  readonly pattern?: string;
  readonly follow: boolean;
}

/** `./customer-data events`: what the event bus of the local server received. */
export function eventsCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('events'))
    .option('--pattern <json>', 'print only events that match this EventBridge event pattern')
    .option('--no-follow', 'print the events so far and exit')
    .addOption(FOLDER_OPTION)
    .action((options: Options) => printAll(terminal, events(options)));
  return addExamples(
    command,
    'events',
    `events --no-follow --pattern '{"detail-type":["applied"]}'`,
  );
}

async function* events({ folder, pattern, follow }: Options): AsyncGenerator<string> {
  // Without a wait to end, the first Ctrl-C ends the process as usual.
  using interrupted = follow ? interruption() : undefined;
  const signal = interrupted?.signal ?? AbortSignal.abort();
  const matches = pattern === undefined ? () => true : readEventPattern(pattern);
  for await (const line of followLines(shortest(join(folder, EVENTS_FILE)), signal)) {
    const event: unknown = JSON.parse(line);
    if (matches(event)) yield JSON.stringify(event);
  }
}

/** The path of a file from here, or from the root if the file is not below this folder. */
function shortest(file: string): string {
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}
