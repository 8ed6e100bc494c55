import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { AccessRules } from 'customer-data-api/clients';
import packageJson from 'customer-data-api/package.json' with { type: 'json' };
import { stackNameOf } from 'customer-data-api/stack-name';
import inc from 'semver/functions/inc.js';
import valid from 'semver/functions/valid.js';
import gtr from 'semver/ranges/gtr.js';
import { cloudFormationClient, stsClient, usualRegion } from './aws-clients.ts';
import { LOCAL_FOLDER } from './local/folder-option.ts';
import { OUTPUTS_FILE, runningOutputs } from './local/outputs-file.ts';
import type { DeploymentOptions, ForceOption } from './options.ts';
import {
  appClientIds,
  checkOutputs,
  isLocal,
  type Outputs,
  readOutputsFile,
  STACK_NAME,
} from './outputs.ts';
import { UsageError } from './program/user-error.ts';

/** A deployment of the service, or the local server. */
export interface Deployment extends AccessRules {
  readonly stackName: string;
  readonly outputs: Outputs;
  /**
   * The file with the outputs, if they come from one. The local server has its other files beside
   * it.
   */
  readonly outputsFile: string | undefined;
  /** True if mistakes reach customers: its stage retains data. */
  readonly isProduction: boolean;
}

/**
 * Finds the deployment that the options of a command name.
 *
 * @throws UsageError if they name none.
 * @throws UserError if its outputs cannot be found or are incomplete.
 * @throws what the CloudFormation client throws, for example without credentials.
 */
export async function findDeployment({
  local,
  outputs,
  stack,
}: DeploymentOptions): Promise<Deployment> {
  if (local) return localDeployment();
  if (outputs !== undefined) return deploymentOf(await readOutputsFile(outputs), outputs);
  const stackName = stack ?? process.env.CUSTOMER_DATA_STACK;
  if (stackName) return deploymentOf({ stackName, outputs: await outputsOfStack(stackName) });
  throw new UsageError(
    'Missing the deployment: add --stack NAME (CustomerDataApi-prod), --outputs FILE or --local, or set CUSTOMER_DATA_STACK.',
  );
}

/**
 * Finds the deployment that a command is going to change.
 *
 * @throws UsageError like `findDeployment`, and for a deployment newer than the next release.
 */
export async function findDeploymentToChange({
  force = false,
  ...options
}: DeploymentOptions & ForceOption): Promise<Deployment> {
  const found = await findDeployment(options);
  if (!force) expectCurrentRelease(found);
  return found;
}

/**
 * Checks that these commands may change a deployment: the release after theirs takes them, as
 * operators update later than the stack, and those beyond it have newer rules.
 *
 * @throws UsageError
 */
export function expectCurrentRelease({ outputs: { Release } }: Deployment): void {
  const next = `~${inc(packageJson.version, 'minor')}`;
  if (valid(Release) === null || !gtr(Release, next)) return;
  throw new UsageError(
    `Nothing was changed: the deployment has release ${Release}, and these commands are those of ${packageJson.version}, with older rules. Update the project to release ${Release} and run npm ci, or add --force.`,
    'olderCommands',
  );
}

/** The deployment with these outputs. */
export function deploymentOf(
  { stackName, outputs }: Pick<Deployment, 'stackName' | 'outputs'>,
  file?: string,
): Deployment {
  return {
    stackName,
    outputs,
    outputsFile: file,
    isProduction: !isLocal(outputs) && outputs.RetainsData === 'true',
    appClients: appClientIds(outputs),
    requiresUserPoolClientIds: outputs.RequiresUserPoolClientIds === 'true',
  };
}

/** Names a deployment in sentences. */
export function deploymentName({ stackName, outputs }: Deployment): string {
  return isLocal(outputs) ? 'the local server' : `${stackName}, ${outputs.Region}`;
}

async function localDeployment(): Promise<Deployment> {
  const file = join(LOCAL_FOLDER, OUTPUTS_FILE);
  await runningOutputs(LOCAL_FOLDER);
  return deploymentOf(await readOutputsFile(file), file);
}

/** Asks CloudFormation, in the account and region of the environment as for the AWS CLI. */
async function outputsOfStack(stack: string): Promise<Outputs> {
  if (!STACK_NAME.test(stack)) {
    throw new UsageError(
      `${stack} is not the name of a stack. Stacks are called ${stackNameOf('<stage>')}.`,
    );
  }
  const region = await usualRegion();
  const outputs = await outputsIn(region, stack);
  if (outputs) return checkOutputs(outputs, `The stack ${stack}`);
  throw new UsageError(
    `There is no stack ${stack} in ${region}. Check the profile and the region.`,
    'noSuchStack',
  );
}

/** Returns the outputs of a stack in a region; undefined if there is no such stack. */
export async function outputsIn(
  region: string,
  stack: string,
): Promise<Partial<Outputs> | undefined> {
  using cloudFormation = cloudFormationClient({ Region: region });
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stack }));
    return Object.fromEntries(
      (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    // CloudFormation has no error of its own for this.
    const isMissing =
      error instanceof CloudFormationServiceException && /does not exist/.test(error.message);
    if (isMissing) return undefined;
    throw error;
  }
}

/**
 * Returns who makes a change: the ARN of the caller, or the user of this machine if the change is
 * made on the local server.
 */
export async function author({ outputs }: Deployment): Promise<string> {
  if (isLocal(outputs)) return userName();
  using sts = stsClient(outputs);
  const { Arn = '' } = await sts.send(new GetCallerIdentityCommand());
  return Arn;
}

/** The user of this machine. In a container, its id often has no entry in passwd. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER || process.env.LOGNAME || 'unknown';
  }
}
