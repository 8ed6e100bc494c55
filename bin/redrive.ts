import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { readOutputs } from '../cli/outputs.ts';
import { redrive } from '../cli/redrive.ts';

const command = new Command('npm run redrive --')
  .description(
    'Shows the promo events in the dead-letter queue, which could not be stored, and moves them back',
  )
  .requiredOption('--outputs <file>', 'the file written by cdk deploy --outputs-file')
  .option('--move', 'move them back to the queue, to be stored')
  .action(({ outputs, move = false }: { outputs: string; move?: boolean }) =>
    runAwsCommand(async () =>
      redrive(await readOutputs(outputs), {
        move,
        print: (line) => process.stdout.write(`${line}\n`),
      }),
    ),
  );

await command.parseAsync();
