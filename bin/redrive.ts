import { Command } from 'commander';
import { runAwsCommand } from '../cli/aws-error.ts';
import { readOutputs } from '../cli/outputs.ts';
import { redrive } from '../cli/redrive.ts';

const command = new Command('npm run redrive --')
  .description(
    'Shows the promo events that could not be stored and lie in the dead-letter queue; moves them back',
  )
  .requiredOption('--outputs <file>', 'the file that cdk deploy --outputs-file wrote')
  .option('--move', 'move them back into the queue, from where they are stored')
  .action(({ outputs, move = false }: { outputs: string; move?: boolean }) =>
    runAwsCommand(async () =>
      redrive(await readOutputs(outputs), {
        move,
        print: (line) => process.stdout.write(`${line}\n`),
      }),
    ),
  );

await command.parseAsync();
