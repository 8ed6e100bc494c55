import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { OPERATIONS } from 'customer-data-api/operations';
import { requestsPerSecond, type Settings } from 'customer-data-api/stack';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { type CheckResult, note, ok, problem } from './results.ts';
import { templateResources } from './template.ts';

/**
 * The executions that Lambda keeps for functions without a reservation. An account that has fewer
 * in total is new.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const UNRESERVABLE = 100;

/** The seconds that a request occupies a function, at most while DynamoDB is well. */
const SECONDS_PER_REQUEST = 0.1;

const REQUEST_INCREASE = 'Request an increase of "Concurrent executions" in Service Quotas';

/** Checks whether the account can run the functions of a stage, and keep what it reserves. */
export async function* checkConcurrency(
  region: string,
  settings: Settings,
): AsyncGenerator<CheckResult> {
  const { quota, unreserved } = await concurrencyOf(region);
  const reserved = Object.values(settings.reservedConcurrency).reduce<number>(
    (sum, one = 0) => sum + one,
    0,
  );
  const left = unreserved - reserved;
  const cannotReserve = reserved > 0 && left < UNRESERVABLE;
  if (cannotReserve) {
    yield problem(
      `The stage reserves ${reserved} concurrent executions, which leaves ${left} unreserved; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. ${REQUEST_INCREASE}, or lower reservedConcurrency.`,
    );
  }
  const result = judgedQuota(quota, requestsPerSecond(settings));
  if (result.status !== 'ok' || !cannotReserve) yield result;
}

/** Checks whether the account can run the functions of a deployment. */
export async function* checkDeployedConcurrency(
  deployment: Deployment,
): AsyncGenerator<CheckResult> {
  const { quota } = await concurrencyOf(deployment.outputs.Region);
  yield judgedQuota(quota, await deployedRequestsPerSecond(deployment));
}

function judgedQuota(quota: number, requests: number): CheckResult {
  const sentence = `The account can run ${quota} functions at once`;
  const needed = Math.ceil(requests * SECONDS_PER_REQUEST);
  if (quota < UNRESERVABLE) {
    return problem(
      `${sentence}. Lambda refuses further requests, and promo codes are lost. ${REQUEST_INCREASE}, to 1,000.`,
      'lowConcurrency',
    );
  }
  if (quota < needed) {
    return note(
      `${sentence}, and the ${requests} requests a second that the API takes may need ${needed}. ${REQUEST_INCREASE}, or lower throttling.`,
    );
  }
  return ok(`${sentence}.`);
}

/** The part of the API's stage that is read. */
interface ApiStage {
  readonly MethodSettings: readonly {
    readonly ResourcePath: string;
    readonly ThrottlingRateLimit: number;
  }[];
}

/** Adds up what the deployed API takes on all paths. */
async function deployedRequestsPerSecond(deployment: Deployment): Promise<number> {
  const [[, { MethodSettings = [] }] = ['', {}]] = await templateResources<ApiStage>(
    deployment,
    'AWS::ApiGateway::Stage',
  );
  const limits = new Map(
    MethodSettings.map(({ ResourcePath, ThrottlingRateLimit }) => [
      ResourcePath,
      ThrottlingRateLimit,
    ]),
  );
  return OPERATIONS.map(
    ({ path }) => limits.get(`/${path.replaceAll('/', '~1')}`) ?? limits.get('/*') ?? 0,
  ).reduce((sum, one) => sum + one, 0);
}

async function concurrencyOf(region: string) {
  using client = awsClient('lambda', LambdaClient, { Region: region });
  const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit;
  return { quota: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
}
