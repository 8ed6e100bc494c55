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
  readVersionOrName,
  readVersionReference,
  type VersionReference,
} from './version-reference.ts';

/** A version, or the name of a client or a file. */
type Name = VersionReference | string;

interface ReadOptions extends DeploymentOptions, JsonOption {}

/*
 * Each action loads its module when it runs: the help and `config check` need no AWS SDK, which takes longer to
 * load than they take.
 */

/** `./customer-data config`: what the apps of a client collect. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .addCommand(pullCommand(terminal))
    .addCommand(exampleCommand(terminal))
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
      const { pull } = await import('./read.ts');
      await pull(terminal, clientId, file, options);
    });
  return addExamples(
    command,
    'config pull demo --stack CustomerDataApi-prod',
    'config pull demo demo.yaml --local',
  );
}

function exampleCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('example'))
    .description('print a field with all attributes, to be copied into a configuration file')
    .addArgument(new Argument('<kind>', 'the kind of field').choices(['text', 'drop', 'combo']))
    .action(async (kind: string, { json }: JsonOption) => {
      const file = new URL(`../../../examples/fields/${kind}.yaml`, import.meta.url);
      const text = await readFile(file, 'utf8');
      if (!json) return printText(terminal.stdout, text);
      const { parse } = await import('yaml');
      printTo(terminal)(JSON.stringify(parse(text)[0]));
    });
  return addExamples(command, 'config example drop');
}

function checkCommand(terminal: Terminal): Command {
  const command = addJsonOption(new Command('check'))
    .description('check a configuration file; needs no deployment')
    .argument('<file>', 'a configuration in YAML')
    .action(async (file: string, { json }: JsonOption) => {
      const { checkConfigurationFile, findingsTo } = await import('./check.ts');
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
      const { compare } = await import('./read.ts');
      await compare(terminal, before, after, options);
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
        const { publishFile } = await import('./publish.ts');
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
      const { printHistory } = await import('./read.ts');
      await printHistory(terminal, clientId, options);
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
    .action(async (version: VersionReference, options: ReadOptions) => {
      const { show } = await import('./read.ts');
      await show(terminal, version, options);
    });
  return addExamples(command, 'config show demo@3 --stack CustomerDataApi-prod');
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
