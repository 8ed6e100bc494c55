import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { addDeploymentOptions, type DeploymentOptions, findOutputs } from '../cli/deployment.ts';
import { interruption } from '../cli/interruption.ts';
import { replay } from '../cli/replay.ts';

interface Options extends DeploymentOptions {
  readonly publish?: boolean;
  readonly remove?: string[];
}

const command = addDeploymentOptions(new Command('npm run replay --'))
  .description('Shows the promo events that the event bus did not receive, and publishes them')
  .option('--publish', 'put them on the event bus')
  .option('--remove <messageId...>', 'remove these dead letters without publishing them')
  .action(({ publish = false, remove, ...deployment }: Options) =>
    runAwsCommand(async () =>
      replay(await findOutputs(deployment), {
        publish,
        remove,
        print: (line) => process.stdout.write(`${line}\n`),
        signal: interruption(),
      }),
    ),
  );

await command.parseAsync();
