import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { requestsPerSecond, type Settings } from 'customer-data-api/stack';
import { awsClient } from 'customer-data-api-deployment';
import { type CheckResult, result } from './results.ts';
import { UNRESERVABLE } from './words.ts';

/** The seconds that a request occupies a function, at most while DynamoDB is well. */
const SECONDS_PER_REQUEST = 0.1;

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
  if (cannotReserve) yield result('unreservable', { reserved, left });
  const requests = requestsPerSecond(settings);
  const needed = Math.ceil(requests * SECONDS_PER_REQUEST);
  if (quota < UNRESERVABLE) yield result('lowConcurrency', { quota });
  else if (quota < needed) yield result('throttledConcurrency', { quota, requests, needed });
  else if (!cannotReserve) yield result('concurrency', { quota });
}

async function concurrencyOf(region: string) {
  using client = awsClient('lambda', LambdaClient, { Region: region });
  const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit;
  return { quota: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
}
