import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { cloudFormationClient, type Deployment, named } from 'customer-data-api-deployment';
import { type CheckResult, note, ok, problem } from './results.ts';

/**
 * What Lambda does not let anybody reserve.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const UNRESERVABLE = 100;

const NO_LOGS = note('The setting accessLogs is off: API Gateway logs nothing.');
const NO_ROLE = 'API Gateway has no role to write its logs with';

/** Lists the resources of the stack of a deployment. */
export async function stackResources({
  stackName,
  outputs,
}: Deployment): Promise<StackResourceSummary[]> {
  using client = cloudFormationClient(outputs.Region);
  const resources: StackResourceSummary[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: stackName },
  )) {
    resources.push(...StackResourceSummaries);
  }
  return resources;
}

/** Checks the role with which API Gateway writes logs: one for all APIs of the account. */
export async function* checkGatewayLogs(deployment: Deployment): AsyncGenerator<CheckResult> {
  const hasLogs = (await stackResources(deployment)).some(
    ({ ResourceType, LogicalResourceId }) =>
      ResourceType === 'AWS::Logs::LogGroup' && LogicalResourceId?.startsWith('ApiLogs'),
  );
  if (!hasLogs) return yield NO_LOGS;
  const { cloudwatchRoleArn } = await gatewayOf(deployment.outputs.Region);
  yield cloudwatchRoleArn
    ? ok(`API Gateway writes its logs as ${cloudwatchRoleArn}.`)
    : problem(`${NO_ROLE}. Set gatewayLogRole to "new" and deploy.`, 'noGatewayRole');
}

/** Checks the setting of a stage for that role. The settings have no role without logs. */
export async function* checkGatewayLogRole(
  region: string,
  role: 'new' | 'existing' | undefined,
): AsyncGenerator<CheckResult> {
  if (!role) return yield NO_LOGS;
  const { cloudwatchRoleArn } = await gatewayOf(region);
  if (cloudwatchRoleArn && role === 'new') {
    yield problem(
      `API Gateway writes its logs as ${cloudwatchRoleArn}, and the stack would replace this role for all APIs of the account. Set gatewayLogRole to "existing".`,
    );
  } else if (!cloudwatchRoleArn && role === 'existing') {
    yield problem(`${NO_ROLE}, so the deployment would fail. Set gatewayLogRole to "new".`);
  } else yield ok(`The setting gatewayLogRole is "${role}", as it must be.`);
}

/** Checks whether a stage can reserve concurrent executions. */
export async function* checkReserved(
  region: string,
  reserved: number,
): AsyncGenerator<CheckResult> {
  const { UnreservedConcurrentExecutions = 0 } = await lambdaOf(region);
  const left = UnreservedConcurrentExecutions - reserved;
  const sentence = `The stage reserves ${reserved} concurrent executions, which leaves ${left} unreserved`;
  yield reserved > 0 && left < UNRESERVABLE
    ? problem(
        `${sentence}; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. Request an increase in Service Quotas, or lower reservedConcurrency.`,
      )
    : ok(`${sentence}.`);
}

async function gatewayOf(region: string) {
  using client = named('apigateway', new APIGatewayClient({ region }));
  return await client.send(new GetAccountCommand({}));
}

async function lambdaOf(region: string) {
  using client = named('lambda', new LambdaClient({ region }));
  return (await client.send(new GetAccountSettingsCommand({}))).AccountLimit ?? {};
}
