import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  databaseClient,
  queueClient,
  signIdToken,
  storeSigningKey,
  type TokenOptions,
} from 'customer-data-api-deployment/local';
import { startLocalServer } from 'customer-data-api-local';
import { expect, inject, vi } from 'vitest';
import { userHash } from '../../core/promo-events/erasures.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import type { ErrorEnvelope } from '../../functions/http/envelope.ts';
import type { Operation } from '../../functions/http/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { ERROR_RESPONSES } from '../../openapi/error-responses.ts';
import { exactResponseDeviations } from '../../openapi/validation.ts';
import { type Changes, changedAssembly } from './changed-assembly.ts';
import { itemsIn } from './items-in.ts';
import { newFolder } from './new-folder.ts';

const LOG_WAIT = { interval: 5 };

/** A response of the service. The OpenAPI document describes it: `call` has checked that. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own data, which its tests check
  readonly body: Omit<ErrorEnvelope, 'data'> & { data: any };
}

export interface Call {
  readonly method?: string;
  /**
   * Changes to the headers of a valid request. undefined removes a header; an array sends it
   * several times.
   */
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly token?: TokenOptions;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Runs the stack on free ports, in memory. With a throttle, the gateway throttles. */
export async function startService({ environment, ...changes }: Changes = {}) {
  const cloudAssembly = inject('cloudAssembly');
  const { path: folder, remove } = await newFolder();
  await storeSigningKey(folder, inject('signingKey'));
  const logs: string[] = [];
  const server = await startLocalServer(
    await changedAssembly(cloudAssembly, {
      environment: {
        // Without a limit: what a test waits for is logged, however much was before.
        LOG_INTERVAL_SECONDS: '0',
        // Compiling the same bundles for each service takes a third of the time of a first call.
        NODE_COMPILE_CACHE: join(dirname(cloudAssembly), 'compile-cache'),
        ...environment,
      },
      ...changes,
    }),
    {
      port: 0,
      folder,
      throttle: changes.throttle !== undefined,
      log: (line) => logs.push(line),
    },
  );
  const { outputs, issuer, servers, functions } = server;
  const databaseCalls: string[] = [];
  servers.database.prependListener('request', ({ headers }) => {
    databaseCalls.push(String(headers['x-amz-target']).replace(/.*\./, ''));
  });
  const dynamodb = databaseClient(outputs.DynamoDbEndpoint);
  const documentClient = DynamoDBDocumentClient.from(dynamodb, {
    marshallOptions: { removeUndefinedValues: true },
  });
  const sqs = queueClient(outputs.SqsEndpoint);
  const { hostname, port } = new URL(outputs.ApiUrl);

  // Most calls need the same token, and signing takes longer than the rest of a call.
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (options: TokenOptions = {}) => {
    const key = JSON.stringify(options);
    const token = tokens.get(key) ?? signIdToken(issuer, options);
    tokens.set(key, token);
    return token;
  };

  async function call(path: string, { method = 'POST', headers, body, token }: Call = {}) {
    const good = headersOf({
      idToken: await tokenOf(token),
      appId: 'demo-app-key',
      deviceId: '00000000-0000-0000-0000-000000000000',
      requestDate: new Date().toISOString(),
    });
    const sent = Object.entries({ ...good, ...headers }).filter(([, value]) => value !== undefined);
    return new Promise<ServiceResponse>((resolve, reject) => {
      const outgoing = request(
        // Not as a URL, which would normalize the path. Each with a connection of its own: on a
        // busy machine, the server may close one that is kept while a request is on its way.
        { hostname, port, path, method, headers: Object.fromEntries(sent), agent: false },
        (response) => {
          buffer(response)
            .then((bytes) =>
              resolve(readResponse(path, response.statusCode, response.headers, bytes)),
            )
            .catch(reject);
        },
      );
      outgoing.on('error', reject);
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
      outgoing.end(isRaw ? body : JSON.stringify(body));
    });
  }

  const put = (TableName: string, item: object) =>
    documentClient.send(new PutCommand({ TableName, Item: { ...item } }));

  const stop = async () => {
    dynamodb.destroy();
    sqs.destroy();
    await server.stop();
    await remove();
  };

  return {
    outputs,
    issuer,
    servers,
    databaseCalls,
    call,
    stop,
    /** Clients of the SDK that see no fault. */
    dynamodb,
    documentClient,
    sqs,
    /**
     * Stops it at the end of the block that declares it: `await using service = await
     * startService()`.
     */
    [Symbol.asyncDispose]: stop,
    /** Starts the functions of the operations, which read DynamoDB once while they start. */
    warmUp: async () => {
      for (const { path } of OPERATIONS) await call(path);
    },
    /** Removes the items that have expired. */
    expire: server.expire,
    functionOf: (name: string) => {
      const [, found] = [...functions].find(([id]) => id.startsWith(name)) ?? [];
      if (!found) throw new Error(`There is no function ${name}.`);
      return found;
    },
    /** Kills a function while it runs. The next event starts it again. */
    kill: async (name: string) => {
      for (const [id, operation] of functions) if (id.startsWith(name)) await operation.stop();
    },
    /** The folder for its outputs and the key that signs tokens. */
    folder,
    outputsFile: join(folder, 'outputs.json'),
    /** Marks the end of the log, and waits for later lines: they can arrive after the response. */
    watchLog: () => {
      const start = logs.length;
      const lines = () => logs.slice(start);
      const has = (...texts: string[]) => texts.every((text) => lines().join('\n').includes(text));
      return { lines, logged: (...texts: string[]) => vi.waitUntil(() => has(...texts), LOG_WAIT) };
    },
    /** Calls an operation with the request of its example. */
    send: ({ path, example }: Operation, options: Call = {}) =>
      call(path, { body: example.request, ...options }),
    getConfig: ({ body = { clientId: 'demo' }, ...rest }: Call = {}) =>
      call('/customData/getConfig', { body, ...rest }),
    applyPromoCode: ({ body, ...rest }: Call = {}) =>
      call('/promoCode/apply', { body: body ?? PROMO_REQUEST, ...rest }),
    putConfig: (item: object) => put(outputs.ConfigsTableName, item),
    putPromoEvent: (item: object) => put(outputs.PromoEventsTableName, item),
    /** Marks a user as erased now, for an hour. */
    markErased: async (clientId: string, userId: string, changed: object = {}) =>
      put(outputs.ErasuresTableName, {
        clientId,
        user: await userHash(clientId, userId),
        erasedAt: new Date().toISOString(),
        expiresAt: Math.floor(Date.now() / 1000) + 3600,
        ...changed,
      }),
    promoEvents: (clientId = 'demo') =>
      itemsIn(outputs.PromoEventsTableName, documentClient, clientId),
    /** The number of messages in each queue, including those in flight. */
    messages: async () => ({
      queue: await messagesIn(sqs, outputs.PromoEventsQueueUrl),
      deadLetterQueue: await messagesIn(sqs, outputs.PromoEventsDeadLetterQueueUrl),
      busQueue: await messagesIn(sqs, outputs.PromoEventsBusQueueUrl),
    }),
  };
}

/** The number of messages in a queue, including those in flight. */
async function messagesIn(sqs: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );
  return (
    Number(Attributes.ApproximateNumberOfMessages) +
    Number(Attributes.ApproximateNumberOfMessagesNotVisible)
  );
}

/** A valid body of `promoCode/apply` for the user of the default token. */
export const PROMO_REQUEST = applyPromoCode.example.request;

/** Reads a response. Fails the test if the OpenAPI document does not describe it for the path. */
function readResponse(
  path: string,
  status: number | undefined,
  headers: IncomingHttpHeaders,
  bytes: Buffer,
): ServiceResponse {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Date.parse(String(headers.date))).not.toBeNaN();
  const body = JSON.parse(bytes.toString('utf8'));
  // The document has paths as they are written, without more slashes.
  const written = `/${path.replace(/^\/+|\/+$/g, '')}`;
  expect(exactResponseDeviations(written, status, body)).toEqual([]);
  // A schema cannot express that the parts of a response agree.
  expect(status === 200).toBe(body.errors.length === 0);
  expect('config-version' in headers).toBe('fields' in body.data);
  if (body.errors.length > 0) {
    expect(body.data.statusCode).toBe(status);
    expect(body.data.retryable).toBe([429, 500, 503].includes(Number(status)));
    const described = Object.values(ERROR_RESPONSES).find(
      ({ statusCode }) => statusCode === status,
    );
    for (const name of described?.headers ?? []) expect(headers).toHaveProperty(name.toLowerCase());
  }
  for (const { code } of body.errors) expect(code).toBe(body.data.code);
  return { status: status ?? 0, headers, body };
}
