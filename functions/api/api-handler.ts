import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import middy, { type MiddlewareObj } from '@middy/core';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { clientRecords, type ReadClientData } from '../../core/clients/client-records.ts';
import { readEarly } from '../../core/clients/early-read.ts';
import type { Environment } from '../../core/platform/environment.ts';
import { countResponse, prepareMetrics, publishMetrics } from '../../core/platform/metrics.ts';
import { rehearsalClient } from '../../core/platform/rehearsal.ts';
import { authorizeClient } from './authorize-client.ts';
import { beforeFirstCall } from './before-first-call.ts';
import { checkHeaders, type WithRequestHeaders } from './check-headers.ts';
import { withCors } from './cors.ts';
import { countKeyUses } from './count-key-uses.ts';
import { envelope, type WithRemarks } from './envelope.ts';
import { NO_EARLY_TIMEOUT, withTimeout } from './function-timeout.ts';
import { keySetCache } from './key-set.ts';
import { loadClient, type WithClient, warnIfStale } from './load-client.ts';
import type { API_ENVIRONMENT, RequestSchema } from './operation.ts';
import { REHEARSED_ANSWER } from './rehearsed-answer.ts';
import { validateBody, type WithRequest } from './validate-body.ts';
import { verifyIdToken, type WithClaims } from './verify-id-token.ts';

/** What an operation reads of a request, and where it leaves its warnings and notices. */
export type ApiEvent<TRequest, TData> = WithRemarks &
  WithRequestHeaders &
  WithClaims &
  WithRequest<TRequest> &
  WithClient<TData>;

/** What differs between the operations. */
export interface ApiHandlerOptions<TSchema extends RequestSchema, TData> {
  readonly environment: Environment<(typeof API_ENVIRONMENT)[number]>;
  readonly documentClient: DynamoDBDocumentClient;
  /** The schema of the request body. */
  readonly request: TSchema;
  /** What the operation needs of the client's item besides who may call. */
  readonly clientData: ReadClientData<TData>;
  /** Makes the operation's own calls of DynamoDB once, with a client that sends nothing. */
  readonly rehearse?: (documentClient: DynamoDBDocumentClient) => Promise<void>;
  /** The operation's own checks, after those of every operation. */
  readonly checks?: readonly MiddlewareObj<ApiEvent<v.InferOutput<TSchema>, TData>>[];
  /** Returns `data` of the response. */
  readonly operation: (
    event: ApiEvent<v.InferOutput<TSchema>, TData>,
    context: Context,
  ) => Promise<object>;
}

/**
 * Makes the Lambda handler of an operation. The order of the checks stands here and nowhere else: headers, token, body,
 * client, user. Nothing that a caller sends makes it read DynamoDB before the token is verified.
 *
 * Resolves when the first call is prepared, so that awaiting it is part of the function's initialisation. Never rejects
 * because AWS is not available.
 */
export async function apiHandler<TSchema extends RequestSchema, TData>({
  environment,
  documentClient,
  request,
  clientData,
  rehearse = async () => {},
  checks = [],
  operation,
}: ApiHandlerOptions<TSchema, TData>) {
  const { CONFIGS_TABLE_NAME, USER_POOL_ID, USER_POOL_CLIENT_IDS } = environment;
  const records = {
    documentClient,
    tableName: CONFIGS_TABLE_NAME,
    cacheSeconds: environment.CONFIG_CACHE_SECONDS,
    requiresUserPoolClientIds: environment.REQUIRE_USER_POOL_CLIENT_IDS,
    clientData,
  };
  const keySets = keySetCache();
  const { jwksUri } = CognitoJwtVerifier.parseUserPoolId(USER_POOL_ID);
  const prepared = beforeFirstCall({
    'fetch the key set': (signal) => keySets.fetchEarly(jwksUri, signal),
    'read from DynamoDB': (signal) => readEarly(documentClient, CONFIGS_TABLE_NAME, signal),
    rehearse: async () => {
      prepareMetrics();
      const rehearsal = rehearsalClient(REHEARSED_ANSWER);
      await clientRecords({ ...records, documentClient: rehearsal })('rehearsal');
      await rehearse(rehearsal);
    },
  });
  const load = clientRecords(records);
  const handler = middy<APIGatewayProxyEvent>(NO_EARLY_TIMEOUT)
    .use(envelope())
    .use(checkHeaders(environment.REQUEST_DATE_WINDOW_SECONDS))
    .use(verifyIdToken(USER_POOL_ID, USER_POOL_CLIENT_IDS.split(','), keySets))
    .use(validateBody(request))
    .use(loadClient(load))
    .use(authorizeClient())
    .use(countKeyUses())
    .use(warnIfStale())
    .use([...checks])
    .handler(operation);
  const respond = withTimeout((event, context) =>
    // What API Gateway sends; the middlewares add the rest.
    handler(event as Parameters<typeof handler>[0], context),
  );
  await prepared;
  return withCors(environment.CORS_ORIGINS, async (event, context) => {
    // Counted here and not in the envelope: after a timeout, the response of the envelope reaches nobody.
    const { code, response } = await respond(event, context);
    countResponse(code, response.statusCode);
    publishMetrics();
    return response;
  });
}
