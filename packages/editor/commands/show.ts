import { writeFile } from 'node:fs/promises';
import { readConfiguration } from 'customer-data-api/configuration';
import { listVersions, type Version } from 'customer-data-api/history';
import {
  type ConfigurationTables,
  configurationTables,
  findDeployment,
} from 'customer-data-api-deployment';
import type { ReadOptions } from 'customer-data-api-deployment/commands';
import {
  columnsOf,
  type DeploymentOptions,
  noteTo,
  printAll,
  printText,
  printTo,
  type Terminal,
  UsageError,
  UserError,
  whyUnwritable,
} from 'customer-data-api-deployment/program';
import { type AppUi, answersSchema } from 'customer-data-api-sdk/src/answers-schema.ts';
import { readExistingClient } from '../clients/configs-table.ts';
import { schemaComment, writeConfiguration } from '../configurations/configuration-file.ts';
import { compareLive, differentLines } from '../configurations/diff-configurations.ts';
import { exactJson } from '../configurations/exact-number.ts';
import { type ListedVersion, withNeighbours } from '../configurations/history.ts';
import { effectsBetween } from '../configurations/recent-changes.ts';
import { fileOf, readExistingState } from '../configurations/stored-configuration.ts';
import { differenceLines, differencesToJson, readSides } from './diff.ts';
import { historyLines } from './history.ts';
import type { ClientOrVersion, VersionReference } from './version-reference.ts';

/**
 * Prints the live configuration of a client or one of its versions, or writes it into a new file.
 */
export async function show(
  terminal: Terminal,
  client: ClientOrVersion,
  file: string | undefined,
  options: ReadOptions,
): Promise<void> {
  const content = await readContent(client, options);
  const text = options.json ? `${exactJson(content)}\n` : writeConfiguration(content);
  if (file === undefined) printText(terminal.stdout, text);
  else await writeNew(file, `${schemaComment(file)}${text}`);
}

export interface SchemaOptions extends ReadOptions {
  readonly screen: AppUi;
}

/** Prints the schema of the answers that apps send from a screen. */
export async function printSchema(
  terminal: Terminal,
  client: ClientOrVersion,
  { screen, ...options }: SchemaOptions,
): Promise<void> {
  const { clientId } = client;
  const content = await readContent(client, options);
  const { fields } = readConfiguration(content).configuration;
  const schema = answersSchema({ clientId, configVersion: content.base, fields }, screen);
  // Copied from a terminal, characters that nobody sees would be lost.
  const text = JSON.stringify(schema, null, 2).replace(/[^ -~\n]/g, escaped);
  printText(terminal.stdout, `${text}\n`);
}

/**
 * Prints the differences of two configurations.
 *
 * @throws UserError without a message if there are any.
 */
export async function compare(
  terminal: Terminal,
  before: VersionReference | string,
  after: VersionReference | string | undefined,
  options: ReadOptions,
): Promise<void> {
  const deployment = await findDeployment(options);
  using tables = configurationTables(deployment.outputs);
  const [old, fresh] = await readSides({ deployment, tables }, before, after);
  for (const { name, unknown = [] } of [old, fresh]) {
    if (unknown.length === 0) continue;
    noteTo(terminal)(
      `${name} also has attributes that the service does not know: ${unknown.join(', ')}`,
    );
  }
  const effects = compareLive(old.state, fresh.state);
  const differences = { effects, lines: differentLines(old, fresh) };
  if (options.json) printTo(terminal)(JSON.stringify(differencesToJson(differences)));
  if (effects.length + differences.lines.length === 0) {
    noteTo(terminal)('The configurations are equal.');
    return;
  }
  if (!options.json) differenceLines(differences, terminal.stdout).forEach(printTo(terminal));
  throw new UserError('', 'different');
}

/** Prints the versions of a configuration. */
export async function printHistory(
  terminal: Terminal,
  clientId: string,
  { json, ...options }: ReadOptions,
): Promise<void> {
  using tables = await findTables(options);
  const versions = withNeighbours(existingVersions(tables, clientId, terminal));
  const effectsOf = (before: Version, after: Version) => effectsBetween(tables, before, after);
  const lines = json
    ? jsonLines(versions)
    : historyLines(clientId, versions, columnsOf(terminal.stdout), effectsOf);
  await printAll(terminal, lines);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Reads what is live of a client, or a version. */
async function readContent(
  { clientId, version }: ClientOrVersion,
  options: DeploymentOptions,
): Promise<ReturnType<typeof fileOf>> {
  using tables = await findTables(options);
  const { live } =
    version === undefined
      ? await readExistingClient(tables, clientId)
      : await readExistingState(tables, clientId, version);
  return fileOf(clientId, live);
}

async function findTables(options: DeploymentOptions): Promise<ConfigurationTables & Disposable> {
  return configurationTables((await findDeployment(options)).outputs);
}

/** @throws UserError if there is neither a version nor a client. */
async function* existingVersions(
  tables: ConfigurationTables,
  clientId: string,
  terminal: Terminal,
): AsyncGenerator<Version> {
  let isEmpty = true;
  for await (const version of listVersions(tables, clientId)) {
    isEmpty = false;
    yield version;
  }
  if (!isEmpty) return;
  await readExistingClient(tables, clientId);
  noteTo(terminal)(`The history of ${clientId} is empty: it begins with the next change.`);
}

async function* jsonLines(versions: AsyncIterable<ListedVersion>): AsyncGenerator<string> {
  for await (const { older: _, ...version } of versions) yield JSON.stringify(version);
}

/** Writes a file that does not exist yet, so that no edit is lost. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') {
      throw new UserError(`${file} exists already. Name another file, or remove it.`, 'fileExists');
    }
    throw new UsageError(
      `The configuration cannot be written: ${whyUnwritable(file, error)}`,
      'unwritableFile',
    );
  });
}
