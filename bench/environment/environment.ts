import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseClient } from '../../local/aws-clients.ts';
import { signIdToken } from '../../local/cognito/id-token.ts';
import type { Issuer } from '../../local/cognito/issuer.ts';
import type { LocalOutputs } from '../../local/outputs-file.ts';
import { synthesize } from '../../local/synthesize.ts';
import { REGION } from '../../local/template.ts';
import type { Operation } from '../candidates/candidate.ts';
import { apiGatewayEvent } from './api-gateway-event.ts';
import { clientRecord } from './client-record.ts';

const ENGINE = fileURLToPath(new URL('engine.ts', import.meta.url));

/** The client that events belong to unless they name another one. Ten fields are a common size. */
export const CLIENT = clientRecord('bench', 10);

/** A function serves many users in turn. */
const USERS = 200;
/** The user ids of all events start with this. */
export const USER_PREFIX = 'user-';

/**
 * Lets a function read a client's item only once: the item stays fresh for longer than a run takes.
 */
export const READ_ONCE = { CONFIG_CACHE_SECONDS: '3600' };
/** Makes a function read a client's item in each call. */
export const READ_EACH_TIME = { CONFIG_CACHE_SECONDS: '0' };

/** What all candidates share: one DynamoDB, one token issuer and the same requests. */
export interface Environment {
  readonly outputs: LocalOutputs;
  readonly documentClient: DynamoDBDocumentClient;
  /**
   * Environment variables of a function: those of the stack, and the endpoints of the emulated
   * services.
   */
  readonly variables: (operation: Operation) => NodeJS.ProcessEnv;
  /** API Gateway events of users in turn. Each event that applies a promo code has a new code. */
  readonly events: (operation: Operation, count: number, clientId?: string) => object[];
  readonly stop: () => void;
}

/**
 * Starts the environment.
 *
 * @param folder the cloud assembly and the outputs are written into it.
 */
export async function startEnvironment(folder: string): Promise<Environment> {
  const assembly = join(folder, 'cdk.out');
  const { template } = await synthesize(assembly);
  const engine = fork(ENGINE, [assembly, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(engine, 'message');
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const [outputs] = Object.values<LocalOutputs>(await read('outputs.json'));
  if (!outputs) throw new Error('The engine wrote no outputs.');
  const issuer: Issuer = {
    userPoolId: outputs.UserPoolId,
    userPoolClientId: outputs.UserPoolClientId,
    signingKey: await read('signing-key.json'),
  };
  const users = Array.from({ length: USERS }, (_, number) => `${USER_PREFIX}${number}`);
  const idTokens = await Promise.all(users.map((user) => signIdToken(issuer, { user })));
  const { kty, n, e } = issuer.signingKey;
  const client = databaseClient(outputs.DynamoDbEndpoint);
  const documentClient = DynamoDBDocumentClient.from(client);
  await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item: CLIENT }));
  let eventNumber = 0;
  return {
    outputs,
    documentClient,
    variables: (operation) => ({
      ...template
        .functions()
        .find(({ environment }) => environment.POWERTOOLS_SERVICE_NAME === operation)?.environment,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_LAMBDA_FUNCTION_NAME: operation,
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_ENDPOINT_URL_DYNAMODB: outputs.DynamoDbEndpoint,
      AWS_ENDPOINT_URL_SQS: outputs.SqsEndpoint,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: new URL(outputs.JwksUri).origin,
      BENCH_JWK: JSON.stringify({ kty, n, e }),
    }),
    events: (operation, count, clientId = CLIENT.clientId) =>
      Array.from({ length: count }, () => {
        const number = eventNumber++;
        const user = number % USERS;
        const promoCode = number.toString(36);
        const application = { eventType: 'promo_applied', source: 'profile' };
        const body =
          operation === 'get-config'
            ? { clientId }
            : { clientId, userId: users[user], promoCode, ...application };
        return apiGatewayEvent(operation, idTokens[user] ?? '', body);
      }),
    stop: () => {
      client.destroy();
      engine.disconnect();
    },
  };
}
