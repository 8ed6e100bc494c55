import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The input of a call. */
interface Input {
  readonly TableName?: string;
  readonly ConditionExpression?: string;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: object;
}

/**
 * Creates a client of DynamoDB that sends nothing. Without `answer`, nothing is found. An answer
 * with a `__type` is an error. `now` is the time of AWS.
 */
export function offlineDynamoDb(
  answer: (input: Input) => object = () => ({}),
  now = () => new Date(),
) {
  const inputs: Input[] = [];
  const handle = async ({ body }: { readonly body?: Uint8Array }) => {
    const input = JSON.parse(new TextDecoder().decode(body));
    inputs.push(input);
    const headers = { date: now().toUTCString() };
    const content = answer(input);
    const statusCode = '__type' in content ? 400 : 200;
    const responseBody = Readable.from([Buffer.from(JSON.stringify(content))]);
    return { response: { statusCode, headers, body: responseBody } };
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const requestHandler = { handle };
  return {
    inputs,
    dynamodb: new DynamoDBClient({ region: 'eu-central-1', credentials, requestHandler }),
  };
}
