import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { checkConfiguration, type Finding } from '../../core/configuration/check-configuration.ts';
import { ClientId } from '../../core/identifiers.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import { type Release, releasedDocuments } from '../../openapi/released-documents.ts';
import { undecodable } from './apps-in-the-field.ts';
import { type Position, parseConfigurationFile } from './configuration-file.ts';

/** A finding, and its place in the file. */
type Placed = Finding & Position;

/**
 * Checks a configuration file without a deployment, and prints each finding in a line of its own: errors first, then advice,
 * each from top to bottom.
 *
 * @param print receives each line.
 * @throws CommandError if the file cannot be read or has errors.
 */
export async function checkConfigurationFile(
  name: string,
  print: (line: string) => void,
): Promise<void> {
  const findings = findingsIn(await readText(name), await releasedDocuments());
  for (const severity of ['error', 'advice'] as const) {
    for (const finding of findings.filter((one) => one.severity === severity)) {
      print(lineOf(name, finding));
    }
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const advice = findings.length - errors;
  const summary = `${count(errors, 'error', 'errors')}, ${count(advice, 'piece', 'pieces')} of advice.`;
  if (errors > 0) throw new CommandError(summary);
  print(summary);
}

/** @throws CommandError if the file cannot be read. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`The configuration cannot be read: ${error.message}`);
  });
}

function findingsIn(text: string, releases: readonly Release[]): Placed[] {
  const parsed = parseConfigurationFile(text);
  if ('problem' in parsed) {
    return [{ ...parsed.problem, severity: 'error', path: [] }];
  }
  const { content, positionOf } = parsed.file;
  return check(content, releases)
    .map((finding) => ({ ...finding, ...positionOf(finding.path) }))
    .sort((one, other) => one.line - other.line || one.column - other.column);
}

function check(content: unknown, releases: readonly Release[]): Finding[] {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const message = 'The file must be a map with clientId, lastFieldId and fields';
    return [{ severity: 'error', path: [], message }];
  }
  const item = content as Record<string, unknown>;
  const findings = [...checkConfiguration(item), ...undecodable(item, releases)];
  if (!v.is(ClientId, item.clientId)) {
    const message = `${item.clientId === undefined ? 'is missing' : 'is not a client id'}; it is the key of the client's item, a string`;
    findings.push({ severity: 'error', path: ['clientId'], message });
  }
  for (const name of ['appIds', 'userPoolClientIds'].filter((key) => key in item)) {
    const message = 'does not belong into a file: keys are managed apart from the configuration';
    findings.push({ severity: 'error', path: [name], message });
  }
  return findings;
}

function lineOf(file: string, { severity, path, line, column, message }: Placed): string {
  const name = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const subject = name && `${name.slice(1)}: `;
  return `${file}:${line}:${column} ${severity}: ${subject}${message.replace(/\.?$/, '.')}`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
