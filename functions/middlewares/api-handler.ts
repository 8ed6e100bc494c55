import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import middy, { type MiddlewareObj } from '@middy/core';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { createDocumentClient } from '../../core/aws/document-client.ts';
import { accessRules } from '../../core/clients/client-access.ts';
import { clientCache, type ReadClientData } from '../../core/clients/client-cache.ts';
import { isSmokeClient } from '../../core/clients/smoke-client.ts';
import type { Environment } from '../../core/runtime/environment.ts';
import { countResponse, OK, publishMetrics } from '../../core/runtime/metrics.ts';
import { envelope, type WithRemarks, type WithResponseHeaders } from '../http/envelope.ts';
import { keySetCache } from '../http/jwks-cache.ts';
import type { API_ENVIRONMENT, RequestSchema } from '../http/operation.ts';
import { beforeFirstCall, readEarly } from '../http/warm-up.ts';
import { authorizeClient } from './authorize-client.ts';
import { checkHeaders, type WithRequestHeaders } from './check-headers.ts';
import { withCors } from './cors.ts';
import { countAppIdUses, countSignedCalls, sampleSuccesses } from './count-calls.ts';
import { NO_EARLY_TIMEOUT, withTimeout } from './function-timeout.ts';
import { loadClient, type WithClient, warnIfStale } from './load-client.ts';
import { validateBody, type WithRequest } from './validate-body.ts';
import { verifyIdToken, type WithClaims } from './verify-id-token.ts';

/** The event that an operation gets: the request, and what it may add to the response. */
type ApiEvent<TRequest, TData> = APIGatewayProxyEvent &
  WithRemarks &
  WithResponseHeaders &
  WithRequestHeaders &
  WithClaims &
  WithRequest<TRequest> &
  WithClient<TData>;

/** The parts that differ between operations. */
interface ApiHandlerOptions<TSchema extends RequestSchema, TData> {
  readonly environment: Environment<(typeof API_ENVIRONMENT)[number]>;
  readonly request: TSchema;
  /** Reads what the operation needs of the client's item, besides who may call. */
  readonly clientData: ReadClientData<TData>;
  /** Checks of this operation alone, after the common ones. */
  readonly checks?: readonly MiddlewareObj<ApiEvent<v.InferOutput<TSchema>, TData>>[];
  /** Creates the operation. What it returns becomes `data` of the response. */
  readonly operation: (
    documentClient: DynamoDBDocumentClient,
  ) => (event: ApiEvent<v.InferOutput<TSchema>, TData>, context: Context) => Promise<object>;
}

/**
 * Makes the Lambda handler of an operation. The order of the checks is defined here and nowhere
 * else: headers, token, body, client, user. No request reads DynamoDB before its token is verified.
 *
 * Resolves after the warm-up, to make it a part of the initialisation, even if AWS is unavailable.
 */
export async function apiHandler<TSchema extends RequestSchema, TData>({
  environment,
  request,
  clientData,
  checks = [],
  operation,
}: ApiHandlerOptions<TSchema, TData>) {
  const { CONFIGS_TABLE_NAME, USER_POOL_ID, USER_POOL_ISSUER } = environment;
  const rules = accessRules(environment);

  const documentClient = createDocumentClient(environment.DYNAMODB_ENDPOINT);
  const keySets = keySetCache();
  const load = clientCache({
    dynamodb: documentClient,
    tableName: CONFIGS_TABLE_NAME,
    configCacheSeconds: environment.CONFIG_CACHE_SECONDS,
    rules,
    clientData,
  });
  const handler = middy<APIGatewayProxyEvent>(NO_EARLY_TIMEOUT)
    .use(envelope())
    .use(checkHeaders(environment.REQUEST_DATE_WINDOW_SECONDS))
    .use(countSignedCalls())
    .use(verifyIdToken(USER_POOL_ID, rules.appClients, keySets))
    .use(validateBody(request))
    .use(loadClient(load))
    .use(authorizeClient())
    .use(countAppIdUses())
    .use(sampleSuccesses())
    .use(warnIfStale())
    .use([...checks])
    .handler(operation(documentClient));
  const respond = withTimeout((event, context) =>
    // API Gateway sends this event; the middlewares add the rest.
    handler(event as Parameters<typeof handler>[0], context),
  );

  const { jwksUri } = CognitoJwtVerifier.parseUserPoolId(USER_POOL_ID, USER_POOL_ISSUER);
  await beforeFirstCall({
    'fetch the key set': (signal) => keySets.fetchEarly(jwksUri, signal),
    'read from DynamoDB': (signal) => readEarly(documentClient, CONFIGS_TABLE_NAME, signal),
  });
  return withCors(environment.CORS_ORIGINS, async (event, context) => {
    // Counted outside the envelope: after a timeout, the caller never gets the envelope's response.
    const { code, response } = await respond(event, context);
    // Successes of smoke checks on a schedule would hide that those of users have stopped.
    const { request: parsed } = event as Partial<WithRequest<{ clientId: string }>>;
    if (code !== OK || !isSmokeClient(parsed?.clientId)) {
      countResponse(code, response.statusCode);
    }
    publishMetrics();
    return response;
  });
}
