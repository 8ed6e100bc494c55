import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CommandError } from '../../core/platform/command-error.ts';
import { addDeploymentOptions, type DeploymentOptions, findDeployment } from '../deployment.ts';
import { addExamples } from '../options.ts';
import { printTo, type Terminal } from '../terminal.ts';
import { checkConfigurationFile } from './check.ts';
import { writeConfiguration } from './configuration-file.ts';
import { diffConfigurations, readConfigurationFile } from './diff.ts';
import { pullConfiguration } from './pull.ts';

/** `customer-data config`: what the apps of a client collect. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .description('what the apps of a client collect')
    .addCommand(pullCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(diffCommand(terminal));
}

function pullCommand({ stdout }: Terminal): Command {
  const command = addDeploymentOptions(new Command('pull'))
    .description('read the configuration of a client as YAML, without its keys')
    .argument('<clientId>')
    .argument('[file]', 'where to write it; by default, it is printed')
    .action(async (clientId: string, file: string | undefined, options: DeploymentOptions) => {
      const { outputs } = await findDeployment(options);
      const yaml = writeConfiguration(await pullConfiguration(outputs, clientId));
      if (file === undefined) stdout.write(yaml);
      else await writeNew(file, yaml);
    });
  return addExamples(
    command,
    'config pull demo --stack CustomerDataApi-prod',
    'config pull demo demo.yaml --local',
  );
}

function checkCommand(terminal: Terminal): Command {
  const command = new Command('check')
    .description('check a configuration, without a deployment')
    .argument('<file>', 'a configuration as YAML')
    .action((file: string) => checkConfigurationFile(file, printTo(terminal)));
  return addExamples(command, 'config check demo.yaml');
}

function diffCommand(terminal: Terminal): Command {
  const command = addDeploymentOptions(new Command('diff'))
    .description(
      'compare the configuration of a client with a file: what customers notice, and the lines',
    )
    .argument('<clientId>')
    .argument('<file>', 'a configuration as YAML')
    .action(async (clientId: string, file: string, options: DeploymentOptions) => {
      const after = await readConfigurationFile(file);
      const { outputs } = await findDeployment(options);
      const content = await pullConfiguration(outputs, clientId);
      diffConfigurations({ name: clientId, content }, after, printTo(terminal));
    });
  return addExamples(command, 'config diff demo demo.yaml --stack CustomerDataApi-prod');
}

/** Writes a file that does not exist yet, so that no edit is lost. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === 'EEXIST'
        ? `${file} exists already. Name another file, or remove it.`
        : `The configuration cannot be written: ${error.message}`,
    );
  });
}
