import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { fingerprintOf } from '../../core/clients/app-id-fingerprint.ts';
import { AppIdUses } from '../../core/clients/app-id-uses.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count } from '../../core/runtime/metrics.ts';
import { TokenBucket } from '../../core/runtime/rate-limit.ts';
import { ForbiddenError, UnauthorizedError } from '../http/errors.ts';
import type { WithRequestHeaders } from './check-headers.ts';
import type { WithRequest } from './validate-body.ts';
import type { WithClaims } from './verify-id-token.ts';

/**
 * Counts the calls whose token our user pool signed, and those of them that are refused because of
 * their sender. Many such refusals are a mistake of ours, such as a wrong setting: unlike calls
 * with forged tokens, a flood of them takes real users.
 */
export function countSignedCalls(): MiddlewareObj<WithClaims> {
  return {
    after: function countSignedCall() {
      count('SignedCall');
    },
    onError: function countRefusal({ event: { isSigned }, error }) {
      if (!isSigned) return;
      count('SignedCall');
      const isRefused = error instanceof UnauthorizedError || error instanceof ForbiddenError;
      if (isRefused) count('SignedCallRefused');
    },
  };
}

const INTERVAL_MS = 5000;

/**
 * Logs one success in five seconds of this execution environment: its client, and the milliseconds
 * since the gateway received it. Metrics are never about a single client.
 */
export function sampleSuccesses(): MiddlewareObj<
  Pick<APIGatewayProxyEvent, 'requestContext'> &
    WithRequestHeaders &
    WithRequest<{ clientId: string }>
> {
  const limit = new TokenBucket(1, INTERVAL_MS);
  return {
    after: function sampleSuccess({ event }) {
      if (!limit.take()) return;
      const { request, requestHeaders, requestContext } = event;
      logger.info('Request sampled', {
        clientId: request.clientId,
        appId: fingerprintOf(requestHeaders.appId),
        milliseconds: Date.now() - requestContext.requestTimeEpoch,
      });
    },
  };
}

/** Counts uses of App-Ids. Runs after their check, so that invented ones are not counted. */
export function countAppIdUses(): MiddlewareObj<
  WithRequestHeaders & WithRequest<{ clientId: string }>
> {
  const uses = new AppIdUses();
  return {
    before: function countAppIdUse({ event: { request, requestHeaders } }) {
      uses.count(request.clientId, requestHeaders.appId);
    },
  };
}
