import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { addDeploymentOptions, type DeploymentOptions, findOutputs } from '../cli/deployment.ts';
import { interruption } from '../cli/interruption.ts';
import { redrive } from '../cli/redrive.ts';

interface Options extends DeploymentOptions {
  readonly move?: boolean;
  readonly inspect?: boolean;
  readonly remove?: string[];
}

const command = addDeploymentOptions(new Command('npm run redrive --'))
  .description(
    'Shows the promo events in the dead-letter queue, which could not be stored, and moves them back',
  )
  .option('--move', 'move them back to the queue, to be stored')
  .option('--inspect', 'show the content of messages that are not promo events')
  .option('--remove <messageId...>', 'remove these messages, which are not promo events')
  .action(({ move = false, inspect, remove, ...deployment }: Options) =>
    runAwsCommand(async () =>
      redrive(await findOutputs(deployment), {
        move,
        inspect,
        remove,
        print: (line) => process.stdout.write(`${line}\n`),
        signal: interruption(),
      }),
    ),
  );

await command.parseAsync();
