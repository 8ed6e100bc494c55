/*
 * Stands in for the AWS CLI, so that a run does not depend on the machine: `aws dynamodb …` with
 * values as JSON. It knows the operations and the options that the SDK knows.
 */
import * as sdk from '@aws-sdk/client-dynamodb';
import { readAwsCall } from './aws-operation.ts';

const { operation, parameters } = await readAwsCall(process.argv.slice(2));
const input = Object.fromEntries(
  Object.entries(parameters).map(([name, text]) => [
    name,
    /^[[{]/.test(text) ? JSON.parse(text) : text,
  ]),
);
const Command = Object(sdk)[`${operation}Command`];
// The endpoint and the credentials come from the environment, as they do for the AWS CLI.
const client = new sdk.DynamoDBClient({ region: process.env.AWS_DEFAULT_REGION ?? '' });
const { $metadata, ...output } = await client.send(new Command(input));
if (Object.keys(output).length > 0) process.stdout.write(`${JSON.stringify(output, null, 4)}\n`);
client.destroy();
