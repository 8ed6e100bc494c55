import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MiddlewareStack } from '@smithy/types';
import {
  databaseClient,
  eventBusClient,
  queueClient,
  tableStreamsClient,
} from '../../local/aws-clients.ts';
import { namedCallsPlugin } from './aws-call.ts';
import type { Outputs } from './outputs.ts';

/**
 * The SDK's client for the tables of a deployment or of the local server. Its values are in
 * DynamoDB's JSON.
 */
export function dynamodbClient({ DynamoDbEndpoint, Region }: Outputs): Named<DynamoDBClient> {
  return named(
    'dynamodb',
    DynamoDbEndpoint ? databaseClient(DynamoDbEndpoint) : new DynamoDBClient({ region: Region }),
  );
}

/** The same with values of JavaScript. */
export function documentClient(outputs: Outputs): DynamoDBDocumentClient & Disposable {
  const client = dynamodbClient(outputs);
  // Its own `destroy` closes nothing, because others could use the client that it is made of.
  const destroy = () => client.destroy();
  return Object.assign(DynamoDBDocumentClient.from(client), { destroy, [Symbol.dispose]: destroy });
}

/** The SDK's client for the queues of a deployment or of the local server. */
export function sqsClient(outputs: Outputs): Named<SQSClient> {
  const { SqsEndpoint } = outputs;
  return named(
    'sqs',
    SqsEndpoint
      ? queueClient(SqsEndpoint)
      : // The host in the URL of a queue is not always where an emulator listens.
        new SQSClient({ region: outputs.Region, useQueueUrlAsEndpoint: false }),
  );
}

/** The SDK's client for the streams of the tables of a deployment or of the local server. */
export function streamsClient({ DynamoDbEndpoint, Region }: Outputs): Named<DynamoDBStreamsClient> {
  return named(
    'dynamodb',
    DynamoDbEndpoint
      ? tableStreamsClient(DynamoDbEndpoint)
      : new DynamoDBStreamsClient({ region: Region }),
  );
}

/** The SDK's client for the event bus of a deployment or of the local server. */
export function eventBridgeClient({
  EventBridgeEndpoint,
  Region,
}: Outputs): Named<EventBridgeClient> {
  return named(
    'events',
    EventBridgeEndpoint
      ? eventBusClient(EventBridgeEndpoint)
      : new EventBridgeClient({ region: Region }),
  );
}

/** The SDK's client for stacks; without a region, in that of the environment. */
export function cloudFormationClient(region?: string): Named<CloudFormationClient> {
  return named('cloudformation', new CloudFormationClient(inRegion(region)));
}

/**
 * The setting of a client for a region; without one, for that of the environment, as for the AWS
 * CLI. The SDK does not read `AWS_DEFAULT_REGION`, and finds the region of a profile by itself.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 */
export function inRegion(region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION): {
  readonly region?: string;
} {
  return region ? { region } : {};
}

/** The SDK's client that says whose credentials the commands have. */
export function stsClient({ Region }: Outputs): Named<STSClient> {
  return named('sts', new STSClient({ region: Region }));
}

/**
 * A client whose errors name the call, and whose connections are closed at the end of the block that
 * declares it with `using`.
 */
export type Named<TClient> = TClient & Disposable;

/**
 * Lets the errors of a client name the call. The prefix is that of the service in IAM's actions.
 */
export function named<
  TClient extends { readonly middlewareStack: object; readonly destroy: () => void },
>(prefix: string, client: TClient): Named<TClient> {
  const stack = client.middlewareStack as MiddlewareStack<object, object>;
  stack.use(namedCallsPlugin(prefix));
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}
