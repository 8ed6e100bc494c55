import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseClient, REGION } from '../../../packages/deployment/local/aws-clients.ts';
import { signIdToken } from '../../../packages/deployment/local/id-token.ts';
import type { Issuer } from '../../../packages/deployment/local/issuer.ts';
import type { LocalOutputs } from '../../../packages/deployment/local/outputs-file.ts';
import type { Synthesized } from '../../../packages/local/synthesize.ts';
import type { FunctionDefinition, Template } from '../../../packages/local/template.ts';
import type { Operation } from '../candidates/candidate.ts';
import { startChild } from '../child.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import { apiGatewayEvent } from './api-gateway-event.ts';
import { clientRecord } from './client-record.ts';

/** The client that events belong to unless they name another one. */
const CLIENT = clientRecord('bench');

/** A function serves many users in turn. */
const USERS = 200;

/**
 * Lets a function read a client's item only once: the item stays fresh for longer than a run takes.
 */
export const READ_ONCE = { CONFIG_CACHE_SECONDS: '3600' };

/** The parts that all candidates share: one DynamoDB, one token issuer and the same requests. */
export interface Environment {
  readonly outputs: LocalOutputs;
  readonly documentClient: DynamoDBDocumentClient;
  /**
   * Environment variables of a function: those of the stack, the endpoints of the emulated
   * services, and what Lambda tells it about its memory.
   */
  readonly variables: (operation: Operation, megabytes?: number) => NodeJS.ProcessEnv;
  /** API Gateway events of users in turn. Each event that applies a promo code has a new code. */
  readonly events: (
    operation: Operation,
    count: number,
    clientId?: string,
    language?: string,
  ) => object[];
  readonly stop: () => Promise<void>;
}

/** Returns the function of an operation in the stack. */
export function functionOf(template: Template, operation: Operation): FunctionDefinition {
  const isOwn = (one: FunctionDefinition) => one.environment.POWERTOOLS_SERVICE_NAME === operation;
  const found = template.functions().find(isOwn);
  if (!found) throw new Error(`The stack has no function ${operation}.`);
  return found;
}

/**
 * Starts the environment.
 *
 * @param assembly the folder of the stack.
 * @param folder the outputs are written into it.
 */
export async function startEnvironment(
  { template }: Synthesized,
  assembly: string,
  folder: string,
): Promise<Environment> {
  const engine = startChild('The engine', new URL('engine.ts', import.meta.url), [
    assembly,
    folder,
  ]);
  await engine.nextMessage();
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const [outputs] = Object.values<LocalOutputs>(await read('outputs.json'));
  if (!outputs) throw new Error('The engine wrote no outputs.');
  const issuer: Issuer = {
    userPoolId: outputs.UserPoolId,
    userPoolClientId: outputs.UserPoolClientId,
    signingKey: await read('signing-key.json'),
  };
  const users = Array.from({ length: USERS }, (_, number) => `user-${number}`);
  const idTokens = await Promise.all(users.map((user) => signIdToken(issuer, { user })));
  const { kty, n, e } = issuer.signingKey;
  const client = databaseClient(outputs.DynamoDbEndpoint);
  const documentClient = DynamoDBDocumentClient.from(client);
  await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item: CLIENT }));
  let eventNumber = 0;
  return {
    outputs,
    documentClient,
    variables: (operation, megabytes = JUDGED_MEGABYTES) => ({
      ...functionOf(template, operation).environment,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_LAMBDA_FUNCTION_NAME: operation,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(megabytes),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_ENDPOINT_URL_DYNAMODB: outputs.DynamoDbEndpoint,
      AWS_ENDPOINT_URL_SQS: outputs.SqsEndpoint,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: new URL(outputs.JwksUri).origin,
      BENCH_JWK: JSON.stringify({ kty, n, e }),
    }),
    events: (operation, count, clientId = CLIENT.clientId, language) =>
      Array.from({ length: count }, () => {
        const number = eventNumber++;
        const user = number % USERS;
        const promoCode = number.toString(36);
        const application = { eventType: 'promo_applied', source: 'profile' };
        const body =
          operation === 'get-config'
            ? { clientId }
            : { clientId, userId: users[user], promoCode, ...application };
        return apiGatewayEvent(operation, idTokens[user] ?? '', body, language);
      }),
    stop: async () => {
      client.destroy();
      await engine.stop();
    },
  };
}
