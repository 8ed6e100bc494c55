import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readExistingClient } from '../../../admin/clients/configs-table.ts';
import { readExistingVersion } from '../../../admin/configuration/plan-change.ts';
import {
  type ConfigurationTables,
  fileOf,
  readStored,
} from '../../../admin/configuration/stored-configuration.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import type { VersionSummary } from '../../../core/history/version.ts';
import { listVersions } from '../../../core/history/versions-table.ts';
import { UsageError, UserError } from '../../../core/user-error.ts';
import { expectTerminal } from '../../deployment/confirm.ts';
import {
  addDeploymentOptions,
  type DeploymentOptions,
  findDeployment,
} from '../../deployment/deployment.ts';
import { configurationTables } from '../../deployment/tables.ts';
import { whyUnwritable } from '../../file-error.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  CLIENT_ID,
  type JsonOption,
} from '../../options.ts';
import { noteTo, printAll, printText, printTo, type Terminal } from '../../terminal/terminal.ts';
import { columnsOf } from '../../terminal/wrap-text.ts';
import { checkConfigurationFile, findingsTo } from './check.ts';
import { schemaComment, writeConfiguration } from './configuration-file.ts';
import { diffConfigurations, printDifferences } from './diff.ts';
import { readSides } from './diff-sides.ts';
import { historyLines } from './history.ts';
import { type ChangeOptions, publishFile, rollBackTo } from './publish.ts';
import {
  readVersionOrName,
  readVersionReference,
  type VersionReference,
} from './version-reference.ts';

/** A version, or the name of a client or a file. */
type Name = VersionReference | string;

interface ReadOptions extends DeploymentOptions, JsonOption {}

/** `./customer-data config`: what the apps of a client collect. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .description('the configuration of a client: the data its apps collect')
    .addCommand(pullCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(diffCommand(terminal))
    .addCommand(publishCommand(terminal))
    .addCommand(historyCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(rollbackCommand(terminal));
}

function pullCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('pull')))
    .description('write the configuration of a client as YAML, without its App-Ids')
    .argument(...CLIENT_ID)
    .argument('[file]', 'the file to create; without it, the configuration is printed')
    .action(async (clientId: string, file: string | undefined, options: ReadOptions) => {
      if (options.json && file !== undefined) {
        throw new UsageError('--json prints, and a file is always YAML. Leave out one of them.');
      }
      using tables = await findTables(options);
      const content = fileOf(await readStored(tables, clientId));
      if (file === undefined) printContent(terminal, content, options);
      else await writeNew(file, `${schemaComment(file)}${writeConfiguration(content)}`);
    });
  return addExamples(
    command,
    'config pull demo --stack CustomerDataApi-prod',
    'config pull demo demo.yaml --local',
  );
}

function checkCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('check'))
    .description('check a configuration file; needs no deployment')
    .argument('<file>', 'a configuration in YAML')
    .action(async (file: string, { json }: JsonOption) => {
      await checkConfigurationFile(file, findingsTo(printTo(terminal), json), noteTo(terminal));
    });
  return addExamples(command, 'config check demo.yaml');
}

function diffCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('diff')))
    .description(
      'compare two configurations: the changes customers notice, and the lines. The exit code is 1 if they differ',
    )
    .argument('<before>', 'a client, a version such as demo@3, or a file', readVersionOrName)
    .argument('<after>', 'the same', readVersionOrName)
    .action(async (before: Name, after: Name, options: ReadOptions) => {
      using tables = await findTables(options);
      const differences = diffConfigurations(...(await readSides(tables, before, after)));
      if (options.json) printTo(terminal)(JSON.stringify(differences));
      if (differences.lines.length === 0) {
        noteTo(terminal)('The configurations are equal.');
        return;
      }
      if (!options.json) printDifferences(differences, terminal.stdout);
      throw new UserError('', 'different');
    });
  return addExamples(
    command,
    'config diff demo demo.yaml --stack CustomerDataApi-prod',
    'config diff demo@3 demo@4 --local',
    'config diff demo@3 demo --local',
  );
}

function publishCommand(terminal: Terminal): Command {
  const command = addChangeOptions(new Command('publish'))
    .description(
      'check a configuration, show its changes, ask, and make it live. Changes of others are never overwritten',
    )
    .argument(...CLIENT_ID)
    .argument('<file>', 'a configuration in YAML')
    .option(
      '--merge',
      'keep changes that others made to other fields since you pulled it, and add them to the file',
    )
    .action(
      async (clientId: string, file: string, options: ChangeOptions & { merge?: boolean }) => {
        expectAnswers(terminal, options);
        await publishFile(terminal, clientId, file, options);
      },
    );
  return addExamples(
    command,
    'config publish demo demo.yaml -m "Offer Funghi" --stack CustomerDataApi-prod',
    'config publish demo demo.yaml --dry-run --local',
    'config publish demo demo.yaml -m "Offer Funghi" --merge --local',
  );
}

function historyCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('history')))
    .description('list the versions of a configuration, newest first, including manual edits')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, options: ReadOptions) => {
      using tables = await findTables(options);
      const versions = existingVersions(tables, clientId, terminal);
      await printAll(
        terminal,
        options.json
          ? jsonLines(versions)
          : historyLines(clientId, versions, columnsOf(terminal.stdout)),
      );
    });
  return addExamples(
    command,
    'config history demo --stack CustomerDataApi-prod',
    'config history demo --json --local',
  );
}

function showCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('show')))
    .description('print a version of a configuration as YAML')
    .argument('<version>', 'such as demo@3', readVersionReference)
    .action(async ({ clientId, version }: VersionReference, options: ReadOptions) => {
      using tables = await findTables(options);
      printContent(terminal, fileOf(await readExistingVersion(tables, clientId, version)), options);
    });
  return addExamples(command, 'config show demo@3 --stack CustomerDataApi-prod');
}

function rollbackCommand(terminal: Terminal): Command {
  const command = addChangeOptions(new Command('rollback'))
    .description('make an earlier version of a configuration live again. App-Ids stay as they are')
    .argument('<version>', 'such as demo@3', readVersionReference)
    .action(async (version: VersionReference, options: ChangeOptions) => {
      expectAnswers(terminal, options);
      await rollBackTo(terminal, version, options);
    });
  return addExamples(
    command,
    'config rollback demo@3 --dry-run --stack CustomerDataApi-prod',
    'config rollback demo@3 -m "Undo the new options" --stack CustomerDataApi-prod',
  );
}

function addChangeOptions(command: Command): Command {
  return addJsonOption(addWriteOptions(addDeploymentOptions(command))).option(
    '-m, --message <text>',
    'the reason for the change, shown in the history. Required unless --dry-run',
  );
}

/** Fails before any work if the change could not be made. */
function expectAnswers(terminal: Terminal, { message, yes, dryRun }: ChangeOptions): void {
  if (dryRun) return;
  if (!message) throw new UsageError('Missing -m MESSAGE (the reason for the change).');
  if (!yes) expectTerminal(terminal);
}

async function findTables(options: DeploymentOptions): Promise<ConfigurationTables & Disposable> {
  return configurationTables((await findDeployment(options)).outputs);
}

function printContent({ stdout }: Terminal, content: ConfigsItem, { json }: JsonOption): void {
  printText(stdout, json ? `${JSON.stringify(content)}\n` : writeConfiguration(content));
}

/** @throws UserError if there is neither a version nor a client. */
async function* existingVersions(
  tables: ConfigurationTables,
  clientId: string,
  terminal: Terminal,
): AsyncGenerator<VersionSummary> {
  let isEmpty = true;
  for await (const version of listVersions(tables, clientId)) {
    isEmpty = false;
    yield version;
  }
  if (!isEmpty) return;
  const { dynamodb, configsTableName: tableName } = tables;
  await readExistingClient({ dynamodb, tableName }, clientId);
  noteTo(terminal)(`The history of ${clientId} is empty: it begins with the next change.`);
}

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
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
