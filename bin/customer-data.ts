#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { checkConfigurationFile } from '../cli/config/check.ts';
import { writeConfiguration } from '../cli/config/configuration-file.ts';
import { diffConfigurations, readConfigurationFile } from '../cli/config/diff.ts';
import { pullConfiguration } from '../cli/config/pull.ts';
import { addDeploymentOptions, type DeploymentOptions, findOutputs } from '../cli/deployment.ts';
import { CommandError, runCommand } from '../core/platform/command-error.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

const command = new Command('customer-data').description(
  'Manages the clients of a deployment, and what their apps collect',
);
const config = command.command('config').description('what the apps of a client collect');

addDeploymentOptions(config.command('pull'))
  .description('read the configuration of a client as YAML, without its keys')
  .argument('<clientId>')
  .argument('[file]', 'where to write it; by default, it is printed')
  .action((clientId: string, file: string | undefined, deployment: DeploymentOptions) =>
    runAwsCommand(async () => {
      const yaml = writeConfiguration(
        await pullConfiguration(await findOutputs(deployment), clientId),
      );
      if (file === undefined) process.stdout.write(yaml);
      else await writeNew(file, yaml);
    }),
  );

config
  .command('check')
  .description('check a configuration, without a deployment')
  .argument('<file>', 'a configuration as YAML')
  .action((file: string) => runCommand(() => checkConfigurationFile(file, print)));

addDeploymentOptions(config.command('diff'))
  .description(
    'compare the configuration of a client with a file: what customers notice, and the lines',
  )
  .argument('<clientId>')
  .argument('<file>', 'a configuration as YAML')
  .action((clientId: string, file: string, deployment: DeploymentOptions) =>
    runAwsCommand(async () => {
      const after = await readConfigurationFile(file);
      const content = await pullConfiguration(await findOutputs(deployment), clientId);
      diffConfigurations({ name: clientId, content }, after, print);
    }),
  );

await command.parseAsync();

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
