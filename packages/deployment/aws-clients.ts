import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MiddlewareStack } from '@smithy/types';
import { nameCalls } from './aws-error.ts';
import { LOCAL_SETTINGS } from './local/clients.ts';
import type { Outputs } from './outputs.ts';
import { UsageError } from './program/user-error.ts';

/*
 * The SDK's clients for a deployment or for the local server. Those for tables have their values in
 * DynamoDB's JSON, except `documentClient`, which has values of JavaScript.
 */

const settingsOf = (endpoint: string | undefined, region: string) =>
  endpoint ? { ...LOCAL_SETTINGS, endpoint } : { region };

export const dynamodbClient = ({ DynamoDbEndpoint, Region }: Outputs) =>
  named('dynamodb', new DynamoDBClient(settingsOf(DynamoDbEndpoint, Region)));

export function documentClient(outputs: Outputs): DynamoDBDocumentClient & Disposable {
  const client = dynamodbClient(outputs);
  // Its own `destroy` closes nothing, because others could use the client that it is made of.
  const destroy = () => client.destroy();
  return Object.assign(DynamoDBDocumentClient.from(client), { destroy, [Symbol.dispose]: destroy });
}

export const sqsClient = ({ SqsEndpoint, Region }: Outputs) =>
  named(
    'sqs',
    // The host in the URL of a queue is not always where an emulator listens.
    new SQSClient({ ...settingsOf(SqsEndpoint, Region), useQueueUrlAsEndpoint: false }),
  );

export const eventBridgeClient = ({ EventBridgeEndpoint, Region }: Outputs) =>
  named('events', new EventBridgeClient(settingsOf(EventBridgeEndpoint, Region)));

/**
 * The SDK's client for stacks; without a region, in that of the environment, as for the AWS CLI.
 * The SDK does not read `AWS_DEFAULT_REGION`, and finds the region of a profile by itself.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 */
export function cloudFormationClient(
  region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION,
) {
  return named('cloudformation', new CloudFormationClient(region ? { region } : {}));
}

/**
 * Returns the region of the environment.
 *
 * @throws UsageError if there is none.
 */
export function usualRegion(): Promise<string> {
  return cloudFormationClient()
    .config.region()
    .catch(() => {
      throw new UsageError('The region is unknown. Name it with --region, or set AWS_REGION.');
    });
}

/** The SDK's client that says whose credentials the commands have. */
export function stsClient({ Region }: Outputs) {
  return named('sts', new STSClient({ region: Region }));
}

/**
 * Lets the errors of a client name the call, and closes its connections at the end of the block
 * that declares it with `using`.
 *
 * @param prefix that of the service in IAM's actions.
 */
export function named<
  TClient extends { readonly middlewareStack: object; readonly destroy: () => void },
>(prefix: string, client: TClient): TClient & Disposable {
  nameCalls(prefix, client.middlewareStack as MiddlewareStack<object, object>);
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}
