import { createTwoFilesPatch } from 'diff';
import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { describeChanges } from '../../core/configuration/describe-changes.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import { readText } from './check.ts';
import { parseConfigurationFile, writeConfiguration } from './configuration-file.ts';

/** A configuration, and what to call it. */
export interface Named {
  readonly name: string;
  readonly content: ConfigsItem;
}

/**
 * Reads a configuration file to compare it. Its content may have mistakes.
 *
 * @throws CommandError if it cannot be read or is not a map in YAML.
 */
export async function readConfigurationFile(file: string): Promise<Named> {
  const parsed = parseConfigurationFile(await readText(file));
  if ('problem' in parsed) {
    const { line, column, message } = parsed.problem;
    throw new CommandError(`${file}:${line}:${column} ${message}`);
  }
  const { content } = parsed.file;
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new CommandError(`${file} must be a map with clientId, lastFieldId and fields.`);
  }
  return { name: file, content: content as ConfigsItem };
}

/**
 * Prints the differences of two configurations: first in words, then the lines of their YAML.
 *
 * @param print receives each line.
 */
export function diffConfigurations(
  before: Named,
  after: Named,
  print: (line: string) => void,
): void {
  // As YAML, sets and lists are equal, and attributes have one order.
  const [old, fresh] = [before, after].map(({ content }) => writeConfiguration(content));
  if (old === fresh) {
    print('The configurations are equal.');
    return;
  }
  for (const sentence of describeChanges(parsed(old), parsed(fresh))) print(sentence);
  print('');
  const patch = createTwoFilesPatch(before.name, after.name, old ?? '', fresh ?? '');
  for (const line of patch.split('\n').slice(1)) if (line) print(line);
}

function parsed(yaml = ''): ConfigsItem {
  const result = parseConfigurationFile(yaml);
  return 'file' in result ? (result.file.content as ConfigsItem) : {};
}
