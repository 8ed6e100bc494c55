import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { addDeploymentOptions, type DeploymentOptions, findOutputs } from '../cli/deployment.ts';
import { redrive } from '../cli/redrive.ts';

const command = addDeploymentOptions(new Command('npm run redrive --'))
  .description(
    'Shows the promo events in the dead-letter queue, which could not be stored, and moves them back',
  )
  .option('--move', 'move them back to the queue, to be stored')
  .action(({ move = false, ...deployment }: DeploymentOptions & { move?: boolean }) =>
    runAwsCommand(async () =>
      redrive(await findOutputs(deployment), {
        move,
        print: (line) => process.stdout.write(`${line}\n`),
      }),
    ),
  );

await command.parseAsync();
