import type {
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { AwsError, awsJson, retryableAs } from './aws-json.ts';
import { readEnvironment } from './environment.ts';
import { UnavailableError } from './unavailable-error.ts';

/** The calls that are made, with what goes in and comes out, in the types of the SDK's document client. */
interface Calls {
  GetItem: [GetCommandInput, GetCommandOutput];
  PutItem: [PutCommandInput, PutCommandOutput];
  UpdateItem: [UpdateCommandInput, UpdateCommandOutput];
}

const call = awsJson({
  name: 'dynamodb',
  targetPrefix: 'DynamoDB_20120810',
  endpoint: readEnvironment(['DYNAMODB_ENDPOINT']).DYNAMODB_ENDPOINT,
});

/** The parts of an input that are maps of attributes, and those of an output. */
const MAPS = ['Key', 'Item', 'ExpressionAttributeValues', 'Attributes'];

/**
 * Calls DynamoDB. Keys, items and values are plain JavaScript; of the output there are the items.
 *
 * @param abortSignal gives up; what was sent by then may still be done.
 * @throws AwsError when DynamoDB answers with one; other errors when it cannot be reached, or not in time.
 */
export async function dynamodb<TName extends keyof Calls>(
  operation: TName,
  input: Calls[TName][0],
  abortSignal?: AbortSignal,
): Promise<Calls[TName][1]> {
  const marshalled = withMaps(input, (map) => marshall(map, { removeUndefinedValues: true }));
  const output = await call(operation, marshalled, abortSignal);
  // By default a number with more digits than JavaScript holds is an error: an operator's slip in one field would make
  // the whole item unreadable.
  return withMaps(output, (map) => unmarshall(map, { wrapNumbers: Number })) as Calls[TName][1];
}

// biome-ignore lint/suspicious/noExplicitAny: maps of attributes as they go in and come out
function withMaps(parts: object, convert: (map: any) => object): object {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      MAPS.includes(name) && part ? convert(part) : part,
    ]),
  );
}

/**
 * Waits for a call of DynamoDB.
 *
 * @throws UnavailableError when DynamoDB could not be reached, throttled the call or failed. Other errors, such as a
 *   missing permission, are defects of the deployment and are thrown unchanged.
 */
export async function available<TResult>(call: Promise<TResult>): Promise<TResult> {
  try {
    return await call;
  } catch (error) {
    const isDefect = error instanceof AwsError && !retryableAs(error);
    throw isDefect ? error : new UnavailableError({ cause: error });
  }
}
