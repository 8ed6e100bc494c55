import type { Changes } from './changed-assembly.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startService } from './service.ts';

/** A service whose calls to DynamoDB and SQS can fail on request. */
export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;

/**
 * Runs the stack as `startService` does, with a fault proxy in front of DynamoDB and one in front
 * of SQS.
 */
export async function startFaultyService({ environment, ...changes }: Changes = {}) {
  const [toDynamoDb, toSqs] = await Promise.all([startFaultProxy(), startFaultProxy()]);
  const proxies = {
    AWS_ENDPOINT_URL_DYNAMODB: toDynamoDb.url,
    AWS_ENDPOINT_URL_SQS: toSqs.url,
  };
  const service = await startService({ environment: { ...proxies, ...environment }, ...changes });
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
  toSqs.target = service.outputs.SqsEndpoint;
  const stop = async () => {
    await service.stop();
    await Promise.all([toDynamoDb.stop(), toSqs.stop()]);
  };
  return { ...service, toDynamoDb, toSqs, stop, [Symbol.asyncDispose]: stop };
}
