import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  DescribeUserPoolCommand,
  type SchemaAttributeType,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  attributeOfClaim,
  attributesLine,
  readStage,
  type Settings,
  SettingsError,
} from 'customer-data-api/stack';
import { stackNameOf } from 'customer-data-api/stack-name';
import {
  awsClient,
  cloudFormationClient,
  type Deployment,
  outputsIn,
  usualRegion,
} from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { UsageError } from 'customer-data-api-deployment/program';
import { checkConcurrency, type DeployedResources } from './quotas.ts';
import { type CheckResult, type NamedResult, ok, problem, runChecks } from './results.ts';
import { templateResources } from './template.ts';
import { checkUserIdClaim } from './user-id-claim.ts';

/**
 * Checks whether the account and region of the environment have what a deployment of a stage needs,
 * and whether its user pool can become what the settings say, so that CloudFormation does not fail
 * halfway.
 *
 * @param stages the folder of its file; by default that of the examples.
 * @throws UsageError if there is no such stage, or no region.
 */
export async function* checkAccount(stage: string, stages?: string): AsyncGenerator<NamedResult> {
  const settings = settingsOf({ stage, ...(stages !== undefined && { stages }) });
  const region = settings.region ?? (await usualRegion());
  const stack = stackNameOf(stage);
  // Nothing before the first deployment.
  const deployed = async <Properties>(type: string) =>
    (await outputsIn(region, stack))
      ? templateResources<Properties>({ stackName: stack, outputs: { Region: region } }, type)
      : [];
  yield* runChecks({
    'gateway logs': () => checkGatewayLogRole(region, settings.gatewayLogRole, deployed),
    concurrency: () => checkConcurrency(region, settings, deployed),
    attributes: () => checkUserAttributes(region, stack, settings),
    'user ids': () => checkUserIdClaim(region, settings),
  });
}

function settingsOf(context: { readonly stage: string; readonly stages?: string }) {
  try {
    return readStage(context).settings;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message, error.code) : error;
  }
}

/**
 * Judges whether the deployed user pool can get the attributes of the settings. Cognito adds some,
 * and changes and removes none.
 */
export async function* checkUserAttributes(
  region: string,
  stack: string,
  { userPoolId, userAttributes = [], userIdClaim }: Settings,
): AsyncGenerator<CheckResult> {
  // The stack changes no user pool that it was given.
  const { UserPoolId } = (userPoolId ? undefined : await outputsIn(region, stack)) ?? {};
  if (!UserPoolId) return;
  const deployed = await attributesOf(region, UserPoolId);
  const kept = [...deployed.keys()].filter((name) => !userAttributes.includes(name));
  const other = userAttributes.filter((name) => !isAsDeclared(deployed.get(name)));
  const problems: string[] = [];
  if (kept.length > 0) {
    problems.push(
      `The user pool has ${claims(kept)}, and Cognito removes no attribute: if the stack declared it, the deployment fails. Write ${attributesLine([...userAttributes, ...kept])}.`,
    );
  }
  if (other.length > 0) {
    problems.push(
      `In the user pool, ${claims(other)} is not a string that can change, and Cognito changes no attribute. Use another name in userAttributes.`,
    );
  }
  const claimed = attributeOfClaim(userIdClaim);
  if (claimed !== undefined && !deployed.has(claimed)) {
    problems.push(
      `The user pool does not have custom:${claimed} yet, so every user would be refused. Deploy userAttributes without this userIdClaim, let your backend set the attribute of each user, then deploy the claim.`,
    );
  }
  for (const message of problems) yield problem(message);
  if (problems.length > 0) return;
  const added = userAttributes.filter((name) => !deployed.has(name));
  yield ok(
    added.length > 0
      ? `The deployment adds ${claims(added)} to the user pool, for good.`
      : 'The user pool has the attributes of userAttributes.',
  );
}

function claims(attributes: readonly string[]): string {
  return attributes.map((name) => `custom:${name}`).join(', ');
}

/** Reads the custom attributes of a user pool, by their names without `custom:`. */
async function attributesOf(
  region: string,
  UserPoolId: string,
): Promise<Map<string, SchemaAttributeType>> {
  using client = awsClient('cognito-idp', CognitoIdentityProviderClient, { Region: region });
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId }));
  return new Map(
    (UserPool?.SchemaAttributes ?? []).flatMap((attribute) => {
      const name = attributeOfClaim(attribute.Name ?? '');
      return name === undefined ? [] : [[name, attribute]];
    }),
  );
}

function isAsDeclared(attribute: SchemaAttributeType | undefined): boolean {
  return !attribute || (attribute.AttributeDataType === 'String' && attribute.Mutable !== false);
}

const NO_ROLE = 'API Gateway has no role to write its logs with';

/** Lists the resources of the stack of a deployment. */
export async function stackResources({
  stackName,
  outputs,
}: Deployment): Promise<StackResourceSummary[]> {
  using client = cloudFormationClient(outputs);
  const resources: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: stackName },
  )) {
    resources.push(...StackResourceSummaries);
  }
  return resources;
}

/**
 * Checks the setting of a stage for the role with which API Gateway writes logs: one for all APIs
 * of the account. The settings have no role without logs.
 */
async function* checkGatewayLogRole(
  region: string,
  role: 'new' | 'existing' | undefined,
  deployed: DeployedResources,
): AsyncGenerator<CheckResult> {
  if (!role) return;
  const { cloudwatchRoleArn } = await gatewayOf({ Region: region });
  const isOwn = (await deployed('AWS::ApiGateway::Account')).length > 0;
  if (cloudwatchRoleArn && role === 'new' && !isOwn) {
    yield problem(
      `API Gateway writes its logs as ${cloudwatchRoleArn}, and the stack would replace this role for all APIs of the account. Set gatewayLogRole to "existing".`,
    );
  } else if (!cloudwatchRoleArn && role === 'existing') {
    yield problem(`${NO_ROLE}, so the deployment would fail. Set gatewayLogRole to "new".`);
  } else yield ok(`The setting gatewayLogRole is "${role}", as it must be.`);
}

async function gatewayOf(outputs: Partial<Outputs>) {
  using client = awsClient('apigateway', APIGatewayClient, outputs);
  return await client.send(new GetAccountCommand({}));
}
