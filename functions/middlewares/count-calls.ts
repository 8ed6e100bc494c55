import { hash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
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

const HOUR_MS = 3_600_000;
/** 64 bytes each. So many refused customers are no accident of a few. */
const MAX_CUSTOMERS = 20_000;

/** The customers of an interval, by the digests of their ids, in this execution environment. */
class Customers {
  readonly #interval: TokenBucket;
  readonly #known = new Set<string>();

  constructor(intervalMs: number) {
    this.#interval = new TokenBucket(1, intervalMs);
  }

  /** Adds a customer. Returns false for one who is known. */
  add(digest: string): boolean {
    if (this.#interval.take()) this.#known.clear();
    if (this.#known.has(digest)) return false;
    if (this.#known.size < MAX_CUSTOMERS) this.#known.add(digest);
    return true;
  }
}

/**
 * Counts the calls whose token our user pool signed, and those of them that are refused because of
 * their sender. Many such refusals are a mistake of ours, such as a wrong setting: unlike calls
 * with forged tokens, a flood of them takes real users. A refused customer counts once an hour, so
 * that one of them, or an app that retries, raises no alarm.
 */
export function countSignedCalls(): MiddlewareObj<WithRequestHeaders & WithClaims> {
  const ofHour = new Customers(HOUR_MS);
  const ofHalfDay = new Customers(12 * HOUR_MS);
  return {
    after: function countSignedCall() {
      count('SignedCall');
    },
    onError: function countRefusal({ event: { isSigned, requestHeaders }, error }) {
      if (!isSigned) return;
      const isRefused = error instanceof UnauthorizedError || error instanceof ForbiddenError;
      if (!isRefused) return count('SignedCall');
      // The claims are not set if one of them is wrong.
      const { sub } = decomposeUnverifiedJwt(requestHeaders.authorization).payload;
      const digest = hash('sha256', String(sub), 'base64');
      if (ofHalfDay.add(digest)) count('CustomerRefused');
      if (!ofHour.add(digest)) return;
      count('SignedCall');
      count('SignedCallRefused');
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
