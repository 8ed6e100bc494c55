import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { fingerprintOf } from '../../core/clients/app-id-fingerprint.ts';
import { logger } from '../../core/runtime/logger.ts';
import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import type { WithRequestHeaders } from './check-headers.ts';
import type { WithRequest } from './validate-body.ts';

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
