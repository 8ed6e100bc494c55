import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { type Command, Option } from 'commander';
import { CommandError } from '../core/platform/command-error.ts';
import { checkOutputs, type Outputs, readOutputs, STACK } from './outputs.ts';

/** How the options of a command name a deployment: by the file with its outputs, or by its stack. */
export interface DeploymentOptions {
  readonly outputs?: string;
  readonly stack?: string;
}

/** Adds the options that name a deployment to a command. */
export function addDeploymentOptions(command: Command): Command {
  return command
    .addOption(new Option('--outputs <file>', 'the file written by cdk deploy --outputs-file'))
    .addOption(
      new Option(
        '--stack <name>',
        'instead of --outputs: the name of the stack, such as CustomerDataApi-prod',
      ).conflicts('outputs'),
    );
}

/**
 * Finds the outputs of the deployment that the options of a command name.
 *
 * @throws CommandError if they name none, or if its outputs cannot be found or are incomplete.
 * @throws what the CloudFormation client throws, for example without credentials.
 */
export async function findOutputs({ outputs, stack }: DeploymentOptions): Promise<Outputs> {
  if (stack !== undefined) return outputsOfStack(stack);
  if (outputs !== undefined) return readOutputs(outputs);
  throw new CommandError(
    'Name the deployment: --outputs FILE, or --stack NAME such as CustomerDataApi-prod.',
  );
}

/** Asks CloudFormation, in the account and region of the environment as for the AWS CLI. */
async function outputsOfStack(stack: string): Promise<Outputs> {
  if (!STACK.test(stack)) {
    throw new CommandError(`The stacks are called CustomerDataApi-<stage>; ${stack} is not.`);
  }
  const cloudFormation = new CloudFormationClient();
  const region = await cloudFormation.config.region().catch(() => {
    throw new CommandError('The region is unknown: set AWS_REGION.');
  });
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [
      OutputKey,
      OutputValue,
    ]);
    return checkOutputs(Object.fromEntries(outputs), `The stack ${stack}`);
  } catch (error) {
    // CloudFormation has no error of its own for this.
    const isMissing =
      error instanceof CloudFormationServiceException && /does not exist/.test(error.message);
    throw isMissing
      ? new CommandError(
          `There is no stack ${stack} in ${region}. Check the account and AWS_REGION.`,
        )
      : error;
  } finally {
    cloudFormation.destroy();
  }
}
