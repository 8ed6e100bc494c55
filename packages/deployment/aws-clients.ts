import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MiddlewareStack } from '@smithy/types';
import { exactNumber } from 'customer-data-api/configuration';
import { operatorCredentials } from './aws-credentials.ts';
import { nameCalls } from './aws-error.ts';
import { throughProxy } from './aws-proxy.ts';
import { LOCAL_SETTINGS } from './local/aws-clients.ts';
import { isLocal, type Outputs } from './outputs.ts';
import { UsageError } from './program/user-error.ts';

/*
 * The SDK's clients for a deployment or for the local server. Those for tables have their values in
 * DynamoDB's JSON, except `documentClient`, which has values of JavaScript.
 */

/** The place where a client makes its calls: a deployment, or a region of AWS. */
type Place = Partial<Outputs>;

/** The outputs of the local server that name the services it has, by their prefixes in IAM. */
const ENDPOINTS: Readonly<
  Record<string, 'DynamoDbEndpoint' | 'EventBridgeEndpoint' | 'SqsEndpoint'>
> = { dynamodb: 'DynamoDbEndpoint', events: 'EventBridgeEndpoint', sqs: 'SqsEndpoint' };

type Settings = ReturnType<typeof settingsOf>;

/**
 * Makes an SDK client, the one way to do so: on AWS it has the credentials of the environment, and
 * goes through its proxy; on the local server it calls nothing else. Its errors name the call, and
 * the end of the block that declares it with `using` closes its connections.
 *
 * @param prefix that of the service in IAM's actions.
 * @throws UsageError if the local server does not have the service.
 */
export function awsClient<
  TClient extends { readonly middlewareStack: object; readonly destroy: () => void },
>(prefix: string, Client: new (settings: Settings) => TClient, place: Place): TClient & Disposable {
  const client = new Client(settingsOf(prefix, Client.name, place));
  nameCalls(prefix, client.middlewareStack as MiddlewareStack<object, object>);
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

function settingsOf(prefix: string, client: string, place: Place) {
  const endpoint = ENDPOINTS[prefix] && place[ENDPOINTS[prefix]];
  // The host in the URL of a queue is not always where an emulator listens.
  const ofQueues = prefix === 'sqs' && { useQueueUrlAsEndpoint: false };
  if (endpoint) return { ...LOCAL_SETTINGS, ...ofQueues, endpoint };
  if (isLocal(place)) {
    const service = client.replace(/Client$/, '');
    throw new UsageError(`The local server has no ${service}. Try this on a deployment in AWS.`);
  }
  return {
    ...(place.Region !== undefined && { region: place.Region }),
    ...ofQueues,
    credentials: operatorCredentials,
    requestHandler: throughProxy(),
  };
}

export const dynamodbClient = (outputs: Outputs) => awsClient('dynamodb', DynamoDBClient, outputs);

export function documentClient(outputs: Outputs): DynamoDBDocumentClient & Disposable {
  const client = dynamodbClient(outputs);
  const documents = DynamoDBDocumentClient.from(client, {
    // By default, a number that somebody wrote by hand can make a whole page of items unreadable,
    // and a copy could have other digits.
    unmarshallOptions: { wrapNumbers: exactNumber },
  });
  // Its own `destroy` closes nothing, because others could use the client that it is made of.
  const destroy = () => client.destroy();
  return Object.assign(documents, { destroy, [Symbol.dispose]: destroy });
}

export const sqsClient = (outputs: Outputs) => awsClient('sqs', SQSClient, outputs);

/**
 * The SDK's client for stacks; without a region, in that of the environment, as for the AWS CLI.
 * The SDK does not read `AWS_DEFAULT_REGION`, and finds the region of a profile by itself.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 */
export function cloudFormationClient(place: Place = {}) {
  const Region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  return awsClient('cloudformation', CloudFormationClient, { ...(Region && { Region }), ...place });
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
export const stsClient = (outputs: Outputs) => awsClient('sts', STSClient, outputs);
