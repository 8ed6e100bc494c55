import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Issuer } from 'customer-data-api-deployment/local';
import { signIdToken } from 'customer-data-api-deployment/local';
import { expect, inject, vi } from 'vitest';
import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Operation } from '../../functions/http/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { exactResponseDeviations } from '../../openapi/validation.ts';

/* The function of an operation in the process of the test, with stand-ins for what it calls. */

/** The item of a client in DynamoDB's JSON. The calls below have its App-Id. */
export const ITEM = marshall({
  clientId: 'demo',
  appIds: ['demo-app-key'],
  fields: [],
  lastFieldId: 0,
});

/** An issuer whose tokens the functions accept. */
export function testIssuer(): Issuer {
  return {
    userPoolId: 'us-east-1_Pool',
    userPoolClientId: 'client',
    signingKey: inject('signingKey'),
  };
}

/**
 * Sets the environment variables of the functions, until `vi.unstubAllEnvs`.
 *
 * @param keySetUrl where the key set of the issuer is.
 * @param url stands in for DynamoDB and SQS.
 */
export function stubEnvironment(
  { userPoolId, userPoolClientId }: Issuer,
  keySetUrl: string,
  url: string,
): void {
  const own: Record<EnvironmentVariable, string> = {
    CHECK_AFTER_SECONDS: '0',
    CONFIGS_TABLE_NAME: 'Configs',
    CONFIG_CACHE_SECONDS: '0',
    CONFIG_VERSIONS_TABLE_NAME: 'ConfigVersions',
    CORS_ORIGINS: 'none',
    DYNAMODB_ENDPOINT: url,
    ERASURES_TABLE_NAME: 'Erasures',
    EVENTBRIDGE_ENDPOINT: url,
    COUNT_BY_VERSION: 'false',
    LOG_INTERVAL_SECONDS: '0',
    PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL: `${url}/letters`,
    PROMO_EVENTS_BUS_NAME: 'Bus',
    PROMO_EVENTS_QUEUE_URL: `${url}/queue`,
    PROMO_EVENTS_TABLE_NAME: 'PromoEvents',
    PROMO_EVENT_RETENTION_DAYS: '0',
    REQUEST_DATE_WINDOW_SECONDS: '86400',
    REQUIRE_USER_POOL_CLIENT_IDS: 'false',
    STAGE_NAME: 'test',
    STORE_DEVICE_IDS: 'false',
    USER_ID_CLAIM: 'sub',
    USER_POOL_CLIENT_IDS: userPoolClientId,
    USER_POOL_ID: userPoolId,
    USER_POOL_ISSUER: 'cognito-idp',
  };
  const lambdas = {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: keySetUrl,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_SQS: url,
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  for (const [name, value] of Object.entries({ ...own, ...lambdas })) vi.stubEnv(name, value);
}

/**
 * Starts a function, as Lambda does before its first call. It is new after `vi.resetModules`.
 *
 * @returns a function that calls it with the example of its operation. The OpenAPI document
 *   describes the response: that is checked.
 */
export async function startFunction(operation: Operation, issuer: Issuer) {
  const { handler } = (await import(`../../functions/${operation.folder}/handler.ts`)) as {
    handler: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
  };
  return async ({
    more = {},
    remainingMs = 20_000,
    changed = {},
    requestDate = new Date().toISOString(),
    claims = {},
  }: {
    more?: object;
    requestDate?: string | undefined;
    remainingMs?: number;
    /** Properties of the event that replace those of a good one. */
    changed?: object;
    /** Claims of the token that replace those of a good one. */
    claims?: Record<string, unknown>;
  } = {}) => {
    const headers = headersOf({
      idToken: await signIdToken(issuer, { claims }),
      appId: 'demo-app-key',
      deviceId: 'device',
      requestDate,
    });
    const event = {
      multiValueHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value]]),
      ),
      body: JSON.stringify({ ...operation.example.request, ...more }),
      requestContext: { requestId: 'request-1' },
      ...changed,
    } as unknown as APIGatewayProxyEvent;
    const context = {
      awsRequestId: 'invocation-1',
      getRemainingTimeInMillis: () => remainingMs,
    } as Context;
    const { statusCode, headers: answered, body } = await handler(event, context);
    expect(answered).toHaveProperty('Content-Type', 'application/json; charset=utf-8');
    const envelope = JSON.parse(body);
    expect(exactResponseDeviations(operation.path, statusCode, envelope)).toEqual([]);
    return { statusCode, ...envelope };
  };
}
