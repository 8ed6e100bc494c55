import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseClient } from '../local/database.ts';
import { type Issuer, signIdToken } from '../local/issuer.ts';
import type { LocalOutputs } from '../local/server.ts';
import { synthesize } from '../local/synthesize.ts';
import { REGION } from '../local/template.ts';
import type { Operation } from './candidates.ts';
import { clientWith } from './client.ts';

const ENGINE = fileURLToPath(new URL('engine.ts', import.meta.url));
/** What the events are about, unless they say otherwise: an item of a common size. */
export const CLIENT = clientWith('bench', 10);
/** Many people call a function one after the other. */
const USERS = 200;
export const USER_PREFIX = 'user-';
/** Variables of a function that reads a client once, and of one that reads it for each call. The first is longer than a run. */
export const NEVER_AGAIN = { CONFIG_CACHE_SECONDS: '3600' };
export const EACH_TIME = { CONFIG_CACHE_SECONDS: '0' };

/** What every contestant runs in: one DynamoDB, one issuer, and the same requests. */
export interface World {
  readonly outputs: LocalOutputs;
  readonly dynamodb: DynamoDBDocumentClient;
  /** The environment of a function: what the stack gives it, and where the emulated services are. */
  readonly environment: (operation: Operation) => NodeJS.ProcessEnv;
  /** Events of API Gateway, each of another user, and for promo codes with a code of its own. */
  readonly events: (operation: Operation, count: number, clientId?: string) => object[];
  readonly stop: () => void;
}

/** @param folder where the stack is synthesized and the outputs are written. */
export async function startWorld(folder: string): Promise<World> {
  const assembly = join(folder, 'cdk.out');
  const { template } = await synthesize(assembly);
  const engine = fork(ENGINE, [assembly, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(engine, 'message');
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const [outputs] = Object.values<LocalOutputs>(await read('outputs.json'));
  if (!outputs) throw new Error('The engine has no outputs.');
  const issuer: Issuer = {
    userPoolId: outputs.UserPoolId,
    userPoolClientId: outputs.UserPoolClientId,
    signingKey: await read('signing-key.json'),
  };
  const users = Array.from({ length: USERS }, (_, number) => `${USER_PREFIX}${number}`);
  const tokens = await Promise.all(users.map((user) => signIdToken(issuer, { user })));
  const { kty, n, e } = issuer.signingKey;
  const client = databaseClient(outputs.DynamoDbEndpoint);
  const dynamodb = DynamoDBDocumentClient.from(client);
  await dynamodb.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item: CLIENT }));
  let made = 0;
  return {
    outputs,
    dynamodb,
    environment: (operation) => ({
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
        const number = made++;
        const user = number % USERS;
        const body =
          operation === 'get-config'
            ? { clientId }
            : {
                ...{ clientId, userId: users[user], promoCode: number.toString(36) },
                ...{ eventType: 'promo_applied', source: 'profile' },
              };
        return proxyEvent(operation, tokens[user] ?? '', body);
      }),
    stop: () => {
      client.destroy();
      engine.disconnect();
    },
  };
}

/** As API Gateway makes it. */
function proxyEvent(operation: Operation, token: string, body: object): object {
  const path = operation === 'get-config' ? '/customerData/getConfig' : '/promoCode/apply';
  const headers: Record<string, string> = {
    accept: '*/*',
    'app-id': 'demo-app-key',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'device-id': '38400000-8cf0-11bd-b23e-10b96e40000d',
    host: 'example.execute-api.us-east-1.amazonaws.com',
    'request-date': new Date().toISOString(),
    'user-agent': 'demo/1.0',
  };
  return {
    resource: path,
    path,
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      requestId: '00000000-0000-0000-0000-000000000000',
      httpMethod: 'POST',
      path,
      resourcePath: path,
      protocol: 'HTTP/1.1',
      stage: 'bench',
      identity: { sourceIp: '127.0.0.1', userAgent: 'demo/1.0' },
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}
