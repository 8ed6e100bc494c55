import { Command, InvalidArgumentError, Option } from 'commander';
import { ClientId, characters } from 'customer-data-api/configuration';
import {
  addDeploymentOptions,
  addForceOption,
  type DeploymentOptions,
  type ForceOption,
} from 'customer-data-api-deployment/program';
import * as v from 'valibot';

/** The options of a command that changes something. */
export interface WriteOptions extends ForceOption {
  readonly yes?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The option of a command that reads. */
export interface JsonOption {
  readonly json?: boolean | undefined;
}

/** Adds the option of a command that reads. A list is printed as one JSON document per line. */
export function addJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON; for a list, one document per line');
}

/** The options of a command that reads from a deployment. */
export type ReadOptions = DeploymentOptions & JsonOption;

/** Makes a command that reads from a deployment. Its examples are those of `addExamples`. */
export function readCommand(name: string, examples: readonly string[]): Command {
  return addExamples(addJsonOption(addDeploymentOptions(new Command(name))), ...examples);
}

/** The options of a command that asks, and changes a deployment. */
export type ChangeOptions = ReadOptions & WriteOptions;

/**
 * Makes a command that asks, and changes a deployment.
 *
 * @param force what `--force` does, if more than to change a newer release.
 */
export function changeCommand(name: string, examples: readonly string[], force?: string): Command {
  const command = addDeploymentOptions(new Command(name))
    .addOption(new Option('--dry-run', 'show the changes without making them').conflicts('yes'))
    .option('--yes', 'do not ask for confirmation');
  return addExamples(addJsonOption(addForceOption(command, force)), ...examples);
}

/** The options of a command that adds an App-Id. */
export interface AdditionOptions extends ReadOptions, ForceOption {
  readonly dryRun?: boolean;
  readonly label?: string;
}

/** Makes a command that adds an App-Id. It does not ask, because it takes nothing away. */
export function additionCommand(name: string, examples: readonly string[]): Command {
  return addForceOption(readCommand(name, examples))
    .option('--dry-run', 'show the change without making it')
    .option(
      '--label <text>',
      'what the App-Id is for, such as "iOS"; keys list shows it',
      parserOf(v.pipe(v.string(), v.trim(), ...characters(1, 64))),
    );
}

/** Adds examples to the help of a command. They are the words after `./customer-data`. */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((words) => `  ./customer-data ${words}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Reads a value of requests, such as an identifier, from an argument or option. */
export function parserOf(schema: v.GenericSchema<unknown, string>): (text: string) => string {
  return (text) => {
    const { success, output, issues } = v.safeParse(schema, text);
    if (success) return output;
    throw new InvalidArgumentError(`It ${issues[0].message}.`);
  };
}

/** Reads a client id from an argument or option. */
export const readClientId = parserOf(ClientId);

/** The argument of a command about one client: `command.argument(...CLIENT_ID)`. */
export const CLIENT_ID = ['<clientId>', 'such as demo', readClientId] as const;

/** Reads a point in time from an option. */
export function readTimeOption(text: string): string {
  const time = readTime(text, new Date());
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a date, a time, today, or a duration such as 30m, 24h or 7d.',
  );
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,4})([mhd])$/;
/** A date, or a time. Without Z or an offset, both are those of this machine. */
const TIME =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a point in time: a date, a time, `today`, or how long ago it was, such as `24h`.
 *
 * @returns ISO 8601 in UTC; undefined if it is none.
 */
export function readTime(text: string, now: Date): string | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(now.getTime() - Number(count) * UNITS_MS[unit as 'm']).toISOString();
  }
  if (text === 'today') return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const [, day, time = 'T00:00'] = TIME.exec(text) ?? [];
  const date = new Date(`${day}${time}`);
  // JavaScript takes February 30 for a day in March.
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day?.slice(8));
  return isDay && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined;
}
