import type { Readable } from 'node:stream';
import type { ConfigsItem } from 'customer-data-api/clients';
import { isMap } from 'customer-data-api/configuration';
import { readTextFile, UserError } from 'customer-data-api-deployment/program';
import { parseConfigurationFile } from '../configuration-file.ts';

/**
 * Returns true for what names a file rather than a client: a path, or a name that ends with
 * `.yaml`.
 */
export function isFileName(name: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(name);
}

/** Reads the text of a configuration file, or with `stdin`, of `-`. */
export function readText(file: string, stdin?: Readable): Promise<string> {
  return readTextFile('The configuration', file, stdin);
}

/**
 * Reads the content of a configuration file, which may have mistakes.
 *
 * @throws UserError if its text is not a map in YAML.
 */
export function readDraft(file: string, text: string): ConfigsItem {
  const { findings, file: parsed } = parseConfigurationFile(text);
  if (findings.length === 0 && isMap(parsed?.content)) return parsed.content;
  const lines = findings.map(
    ({ line, column, message }) => `${file}:${line}:${column} ${message}.`,
  );
  throw new UserError(
    lines.join('\n') || `${file} must be a map with clientId, lastFieldId and fields.`,
    'invalidConfiguration',
  );
}
