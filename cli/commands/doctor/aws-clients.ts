import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { named } from '../../deployment/aws-clients.ts';

/*
 * Apart from the other clients, because only doctor needs them, and every command would load them.
 */

/** The SDK's client for the settings of API Gateway. */
export const apiGatewayClient = (region: string) =>
  named('apigateway', new APIGatewayClient({ region }));

/** The SDK's client for alarms. */
export const cloudWatchClient = (region: string) =>
  named('cloudwatch', new CloudWatchClient({ region }));

/** The SDK's client for the settings of Lambda. */
export const lambdaClient = (region: string) => named('lambda', new LambdaClient({ region }));

/** The SDK's client for topics. */
export const snsClient = (region: string) => named('sns', new SNSClient({ region }));
