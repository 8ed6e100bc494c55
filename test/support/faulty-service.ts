import { close } from '../../local/listen.ts';
import type { Changes } from './changed-assembly.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type Service, startService } from './service.ts';

/**
 * A service whose calls to DynamoDB and SQS can fail on request. It stops at the end of the block
 * that declares it.
 */
export interface FaultyService extends Service {
  readonly toDynamoDb: FaultProxy;
  readonly toSqs: FaultProxy;
}

/**
 * Runs the stack as `startService` does, with a fault proxy in front of DynamoDB and one in front
 * of SQS.
 */
export async function startFaultyService({
  environment,
  queue,
}: Changes = {}): Promise<FaultyService> {
  const [toDynamoDb, toSqs] = await Promise.all([FaultProxy.start(), FaultProxy.start()]);
  const service = await startService(
    {
      AWS_ENDPOINT_URL_DYNAMODB: toDynamoDb.url,
      AWS_ENDPOINT_URL_SQS: toSqs.url,
      ...environment,
    },
    queue,
  );
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
  toSqs.target = service.outputs.SqsEndpoint;
  const stop = async () => {
    await service.stop();
    await Promise.all([close(toDynamoDb.server), close(toSqs.server)]);
  };
  return { ...service, toDynamoDb, toSqs, stop, [Symbol.asyncDispose]: stop };
}
