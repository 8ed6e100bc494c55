export { TokenBucket } from '../core/runtime/rate-limit.ts';
export { applyPromoCode, PROMO_CODE_MAX, StoredPromoCode } from './apply-promo-code/operation.ts';
export { exampleClients } from './get-config/example-clients.ts';
export { getConfig } from './get-config/operation.ts';
export { errorEnvelope } from './http/envelope.ts';
export * as errors from './http/errors.ts';
export { functionName, type Operation, type Throttle } from './http/operation.ts';
export {
  ALL_HEADERS,
  HEADERS,
  headersOf,
  MAX_HEADER_BYTES,
} from './http/request-headers.ts';
export { MAX_BODY_BYTES } from './middlewares/validate-body.ts';
export { OPERATIONS } from './operations.ts';
