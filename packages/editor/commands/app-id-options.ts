import type { Command } from 'commander';
import { characters } from 'customer-data-api/configuration';
import { parserOf, type ReadOptions, readCommand } from 'customer-data-api-deployment/commands';
import { addForceOption, type ForceOption } from 'customer-data-api-deployment/program';
import * as v from 'valibot';

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
      readLabel,
    );
}

/** Reads what an App-Id is for. */
const readLabel = parserOf(v.pipe(v.string(), v.trim(), ...characters(1, 64)));
