import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { requestsPerSecond, type Settings } from 'customer-data-api/stack';
import { awsClient } from 'customer-data-api-deployment';
import { type CheckResult, note, ok, problem } from './results.ts';

/**
 * The executions that Lambda keeps for functions without a reservation. An account that has fewer
 * in total is new.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const UNRESERVABLE = 100;

/** The seconds that a request occupies a function, at most while DynamoDB is well. */
const SECONDS_PER_REQUEST = 0.1;

const REQUEST_INCREASE = 'Request an increase of "Concurrent executions" in Service Quotas';

/** Reads the resources of a type of the stack as it is deployed, if it is. */
export type DeployedResources = <Properties>(
  type: string,
) => Promise<readonly (readonly [id: string, properties: Partial<Properties>])[]>;

/** Checks whether the account can run the functions of a stage, and keep what it reserves. */
export async function* checkConcurrency(
  region: string,
  settings: Settings,
  deployed: DeployedResources,
): AsyncGenerator<CheckResult> {
  const { quota, unreserved } = await concurrencyOf(region);
  const reserved = Object.values(settings.reservedConcurrency).reduce<number>(
    (sum, one = 0) => sum + one,
    0,
  );
  type Reserving = { readonly ReservedConcurrentExecutions: number };
  const functions = reserved > 0 ? await deployed<Reserving>('AWS::Lambda::Function') : [];
  const own = functions.reduce((sum, [, one]) => sum + (one.ReservedConcurrentExecutions ?? 0), 0);
  const left = unreserved + own - reserved;
  const cannotReserve = reserved > 0 && left < UNRESERVABLE;
  if (cannotReserve) {
    yield problem(
      `The stage reserves ${reserved} concurrent executions, which leaves ${left} unreserved; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. ${REQUEST_INCREASE}, or lower reservedConcurrency.`,
    );
  }
  const result = judgedQuota(quota, requestsPerSecond(settings));
  if (result.status !== 'ok' || !cannotReserve) yield result;
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

async function concurrencyOf(region: string) {
  using client = awsClient('lambda', LambdaClient, { Region: region });
  const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit;
  return { quota: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
}
