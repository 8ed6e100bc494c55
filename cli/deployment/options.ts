import { type Command, Option } from 'commander';
import { rememberTarget } from '../suggestion.ts';

/** The options of a command that name a deployment. */
export interface DeploymentOptions {
  readonly local?: boolean;
  readonly outputs?: string;
  readonly stack?: string;
}

/** Adds the options that name a deployment to a command. */
export function addDeploymentOptions(command: Command): Command {
  return addAwsOptions(
    command
      .addOption(
        new Option('--local', 'the local server (npm start)').conflicts(['outputs', 'stack']),
      )
      .addOption(
        new Option('--outputs <file>', 'the file written by cdk deploy --outputs-file').conflicts(
          'stack',
        ),
      )
      .option('--stack <name>', 'the name of the stack, such as CustomerDataApi-prod'),
  );
}

/** The option of a command that changes something. */
export interface ForceOption {
  readonly force?: boolean | undefined;
}

/** Adds the option that lets older commands change a newer deployment. */
export function addForceOption(
  command: Command,
  description = 'change a deployment of a newer release too',
): Command {
  return command.option('--force', description);
}

/** Adds the options that name a profile and a region to a command, and lets it obey them. */
export function addAwsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--profile <name>', 'the AWS profile, as for the AWS CLI').conflicts('local'),
    )
    .addOption(
      new Option('--region <name>', 'the region of the stack, as for the AWS CLI').conflicts([
        ...['local', 'outputs'],
      ]),
    )
    .hook('preAction', async () => {
      rememberTarget(command.opts());
      // Not with the options: it loads the AWS SDK, which takes longer than all the rest of a help.
      const { chooseProfile } = await import('./aws-profile.ts');
      await chooseProfile(command.opts());
    });
}
