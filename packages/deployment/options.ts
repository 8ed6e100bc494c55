import { type Command, Option } from 'commander';
import { rememberTarget } from './program/suggestion.ts';

/** The options of a command that name a deployment. */
export interface DeploymentOptions {
  readonly local?: boolean;
  readonly outputs?: string;
  readonly stack?: string;
}

/** The option of a command that changes something. */
export interface ForceOption {
  readonly force?: boolean | undefined;
}

/** Adds the option that lets older commands change a newer deployment. */
export function addForceOption(command: Command): Command {
  return command.option('--force', 'change a deployment of a newer release too');
}

/** Adds the options that name a deployment to a command, and lets it obey them. */
export function addDeploymentOptions(command: Command): Command {
  const options: readonly [flags: string, description: string, ...conflicts: string[]][] = [
    ['--local', 'the local server (npm start)', 'outputs', 'stack'],
    ['--outputs <file>', 'the file written by cdk deploy --outputs-file', 'stack'],
    ['--stack <name>', 'the name of the stack, such as CustomerDataApi-prod'],
    ['--profile <name>', 'the AWS profile, as for the AWS CLI', 'local'],
    ['--region <name>', 'the region of the stack, as for the AWS CLI', 'local', 'outputs'],
  ];
  for (const [flags, description, ...conflicts] of options) {
    command.addOption(new Option(flags, description).conflicts(conflicts));
  }
  return command.hook('preAction', async () => {
    rememberTarget(command.opts());
    // Not with the options: it loads the AWS SDK, which takes longer than all the rest of a help.
    const { chooseProfile } = await import('./aws-profile.ts');
    await chooseProfile(command.opts());
  });
}
