import type { Throttle } from '../functions/api/operation.ts';

/**
 * A token bucket, as API Gateway throttles with: it is full at first, each request takes one token, and tokens come back at
 * a steady rate.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export class TokenBucket {
  readonly #limits: Throttle;
  #tokens: number;
  #updatedMs: number;

  constructor(limits: Throttle, nowMs: number = performance.now()) {
    this.#limits = limits;
    this.#tokens = limits.burst;
    this.#updatedMs = nowMs;
  }

  /** Takes a token. Returns false if there is none. */
  take(nowMs: number = performance.now()): boolean {
    const { burst, requestsPerSecond } = this.#limits;
    const added = ((nowMs - this.#updatedMs) / 1000) * requestsPerSecond;
    this.#tokens = Math.min(burst, this.#tokens + added);
    this.#updatedMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
