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
import { attributeOfClaim, readStage, type Settings, SettingsError } from 'customer-data-api/stack';
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
import { type CheckResult, type NamedResult, result, runChecks } from './results.ts';
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
  const claimed = attributeOfClaim(userIdClaim);
  const isClaimEmpty = claimed !== undefined && !deployed.has(claimed);
  if (kept.length > 0)
    yield result('keptAttributes', {
      attributes: kept,
      userAttributes: [...userAttributes, ...kept],
    });
  if (other.length > 0) yield result('fixedAttributes', { attributes: other });
  if (isClaimEmpty) yield result('emptyClaim', { claim: userIdClaim });
  if (kept.length + other.length > 0 || isClaimEmpty) return;
  const attributes = userAttributes.filter((name) => !deployed.has(name));
  yield attributes.length > 0
    ? result('addedAttributes', { attributes })
    : result('attributes', {});
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
    yield result('replacedGatewayRole', { role: cloudwatchRoleArn });
  } else if (!cloudwatchRoleArn && role === 'existing') {
    yield result('noGatewayRole', {});
  } else yield result('gatewayRole', { role });
}

async function gatewayOf(outputs: Partial<Outputs>) {
  using client = awsClient('apigateway', APIGatewayClient, outputs);
  return await client.send(new GetAccountCommand({}));
}
