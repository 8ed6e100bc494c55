import { applyPromoCode, errors } from 'customer-data-api/operations';
import type { Deployment } from 'customer-data-api-deployment';
import { type Counts, countMetrics } from '../count-metrics.ts';

/** The metrics of the responses with which `promoCode/apply` stores nothing. */
const REFUSALS = [
  new errors.UnauthorizedError(),
  new errors.TokenExpiredError(),
  new errors.ForbiddenError(),
  new errors.ValidationError([{ message: '' }]),
  new errors.PayloadTooLargeError(''),
  new errors.ServiceUnavailableError(),
  new errors.InternalServerError(),
].map(({ code }) => ({ name: 'Responses', code }));

/**
 * Counts what `promoCode/apply` refused in the last hour, of any client, by the code of the
 * response. What the gateway or the web ACL refuses never reaches the function. It never throws.
 *
 * @returns the counts, or a sentence that says why they are unknown.
 */
export function countRefusals(deployment: Deployment): Promise<Counts | string> {
  return countMetrics(deployment, applyPromoCode.folder, REFUSALS, 1);
}
