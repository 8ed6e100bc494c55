import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { runAwsCommand } from '../cli/aws-error.ts';
import { confirm } from '../cli/confirm.ts';
import { addDeploymentOptions, type DeploymentOptions, findOutputs } from '../cli/deployment.ts';
import { eraseUser } from '../cli/erase-user.ts';
import { interruption } from '../cli/interruption.ts';
import { ClientId, UserId } from '../core/identifiers.ts';

interface Options extends DeploymentOptions {
  readonly client: string;
  readonly user: string;
  readonly yes?: boolean;
}

const command = addDeploymentOptions(new Command('npm run erase-user --'))
  .description(
    'Shows the promo events of one user, and erases them from the table, the queue and the dead-letter queue',
  )
  .requiredOption('--client <clientId>', 'the clientId of the user', parserOf(ClientId))
  .requiredOption('--user <userId>', 'the userId, as the app sends it', parserOf(UserId))
  .option('--yes', 'erase them without asking')
  .action(({ client, user, yes = false, ...deployment }: Options) =>
    runAwsCommand(async () => {
      const signal = interruption();
      await eraseUser(
        await findOutputs(deployment),
        { clientId: client, userId: user },
        {
          print: (line) => process.stdout.write(`${line}\n`),
          confirm: async () => yes || (await confirm('Remove them?', signal)),
          signal,
        },
      );
    }),
  );

await command.parseAsync();

function parserOf(identifier: typeof ClientId | typeof UserId) {
  return (text: string) => {
    const { success, issues } = v.safeParse(identifier, text);
    if (success) return text;
    throw new InvalidArgumentError(`It ${issues[0].message}.`);
  };
}
