import { readFile } from 'node:fs/promises';
import { Argument, Command } from 'commander';
import { UsageError } from '../../../core/user-error.ts';
import { expectConfirmation } from '../../deployment/confirm.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  CLIENT_ID,
  type JsonOption,
} from '../../options.ts';
import { noteTo, printText, printTo, type Terminal } from '../../terminal/terminal.ts';
import type { ChangeOptions } from './publish.ts';
import {
  type ClientOrVersion,
  readClientOrVersion,
  readVersionOrName,
  readVersionReference,
  type VersionReference,
} from './version-reference.ts';

/** A version, or the name of a client or a file. */
type Name = VersionReference | string;

interface ReadOptions extends DeploymentOptions, JsonOption {}

/*
 * Each action loads its module when it runs: the help and `config check` need no AWS SDK, which
 * takes longer to load than they take.
 */

/** `./customer-data config`: what the apps of a client collect. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .addCommand(showCommand(terminal))
    .addCommand(exampleCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(previewCommand(terminal))
    .addCommand(diffCommand(terminal))
    .addCommand(publishCommand(terminal))
    .addCommand(historyCommand(terminal))
    .addCommand(rollbackCommand(terminal));
}

function showCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('show')))
    .description('print a configuration as YAML, or write it into a file to be changed')
    .argument('<client>', 'a client, or a version such as demo@3', readClientOrVersion)
    .argument('[file]', 'the file to create')
    .action(async (client: ClientOrVersion, file: string | undefined, options: ReadOptions) => {
      if (options.json && file !== undefined) {
        throw new UsageError('--json prints, and a file is always YAML. Leave out one of them.');
      }
      const { show } = await import('./read.ts');
      await show(terminal, client, file, options);
    });
  return addExamples(
    command,
    'config show demo --stack CustomerDataApi-prod',
    'config show demo demo.yaml --local',
    'config show demo@3 --local',
  );
}

function exampleCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('example'))
    .description('print a field with all attributes, to be copied into a configuration file')
    .addArgument(new Argument('<kind>', 'the kind of field').choices(['text', 'drop', 'combo']))
    .action(async (kind: string, { json }: JsonOption) => {
      const file = new URL(`../../../examples/fields/${kind}.yaml`, import.meta.url);
      const example = await readFile(file, 'utf8');
      if (!json) return printText(terminal.stdout, example);
      const { parse } = await import('yaml');
      printTo(terminal)(JSON.stringify(parse(example)[0]));
    });
  return addExamples(command, 'config example drop');
}

function checkCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('check'))
    .description('check a configuration file; needs no deployment')
    .argument('<file>', 'a configuration in YAML; - reads the standard input')
    .action(async (file: string, { json }: JsonOption) => {
      const { checkConfigurationFile, checkConfigurationText, findingsTo } = await import(
        './check.ts'
      );
      const [print, note] = [findingsTo(printTo(terminal), json), noteTo(terminal)];
      if (file === '-') {
        const { text } = await import('node:stream/consumers');
        checkConfigurationText('stdin', await text(terminal.stdin), print, note);
      } else await checkConfigurationFile(file, print, note);
    });
  return addExamples(command, 'config check demo.yaml');
}

function diffCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('diff')))
    .description(
      'compare two configurations: the changes customers notice, and the lines. The exit code is 1 if they differ',
    )
    .argument('<before>', 'a client, a version such as demo@3, or a file', readVersionOrName)
    .argument('[after]', 'the same; without it, compare what is live', readVersionOrName)
    .action(async (before: Name, after: Name | undefined, options: ReadOptions) => {
      const { compare } = await import('./read.ts');
      await compare(terminal, before, after, options);
    });
  return addExamples(
    command,
    'config diff demo.yaml --stack CustomerDataApi-prod',
    'config diff demo@3 demo@4 --local',
    'config diff demo@3 demo --local',
  );
}

function publishCommand(terminal: Terminal): Command {
  const command = addChangeOptions(new Command('publish'))
    .description(
      'check a configuration, show its changes, ask, and make it live. Changes of others are never overwritten',
    )
    .argument('<file>', 'a configuration in YAML')
    .option(
      '--merge',
      'keep changes that others made to other fields since you pulled it, and add them to the file',
    )
    .action(async (file: string, options: ChangeOptions & { merge?: boolean }) => {
      expectAnswers(terminal, options);
      const { publishFile } = await import('./publish.ts');
      await publishFile(terminal, file, options);
    });
  return addExamples(
    command,
    'config publish demo.yaml -m "Offer Funghi" --stack CustomerDataApi-prod',
    'config publish demo.yaml --dry-run --local',
    'config publish demo.yaml -m "Offer Funghi" --merge --local',
  );
}

function historyCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('history')))
    .description('list the versions of a configuration, newest first, including manual edits')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, options: ReadOptions) => {
      const { printHistory } = await import('./read.ts');
      await printHistory(terminal, clientId, options);
    });
  return addExamples(
    command,
    'config history demo --stack CustomerDataApi-prod',
    'config history demo --json --local',
  );
}

function previewCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('preview')))
    .description('show the registration and profile screens of a client as text')
    .argument('<client>', 'a client, or a file such as demo.yaml')
    .action(async (client: string, options: ReadOptions) => {
      const { preview } = await import('./preview.ts');
      await preview(terminal, client, options);
    });
  return addExamples(
    command,
    'config preview demo.yaml',
    'config preview demo --stack CustomerDataApi-prod',
  );
}

function rollbackCommand(terminal: Terminal): Command {
  const command = addChangeOptions(new Command('rollback'))
    .description('make an earlier version of a configuration live again. App-Ids stay as they are')
    .argument('<version>', 'such as demo@3', readVersionReference)
    .action(async (version: VersionReference, options: ChangeOptions) => {
      expectAnswers(terminal, options);
      const { rollBackTo } = await import('./publish.ts');
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
  expectConfirmation(terminal, { yes, dryRun });
}
