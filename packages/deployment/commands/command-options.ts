import { Command, InvalidArgumentError, Option } from 'commander';
import { ClientId } from 'customer-data-api/configuration';
import * as v from 'valibot';
import {
  addDeploymentOptions,
  addForceOption,
  type DeploymentOptions,
  type ForceOption,
} from '../options.ts';
import { program } from '../program/suggestion.ts';

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

/** Makes a command that asks, and changes a deployment. */
export function changeCommand(name: string, examples: readonly string[]): Command {
  const command = addDeploymentOptions(new Command(name))
    .addOption(new Option('--dry-run', 'show the changes without making them').conflicts('yes'))
    .option('--yes', 'do not ask for confirmation');
  return addExamples(addJsonOption(addForceOption(command)), ...examples);
}

/** Adds examples to the help of a command. They are the words after `./customer-data`. */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((words) => `  ${program()} ${words}`);
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
