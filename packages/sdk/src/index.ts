import { send } from './send.ts';
import type {
  ApplyPromoCodeRequest,
  PromoCodeApplied,
  RequestOptions,
  Result,
  Session,
} from './types.ts';

export {
  type AnswerProblem,
  type AppUi,
  answersToStore,
  checkAnswers,
  emptyAnswers,
  type FormField,
  fieldsFor,
  type Instance,
  missingFields,
  normalizedAnswer,
  PROBLEM_TEXTS,
  type ProblemTexts,
  type StoredAnswers,
} from './fields.ts';
export {
  type GetConfigOptions,
  getConfig,
  installationIdIn,
  type LoadOptions,
  loadConfiguration,
} from './get-config.ts';
export { indexedDbStorage } from './indexed-db-storage.ts';
export {
  type PromoCodeQueue,
  type PromoCodeQueueOptions,
  promoCodeQueue,
  type QueuedCode,
  type QueuedResult,
} from './promo-code-queue.ts';
export type { QueueLock } from './queue-lock.ts';
export type * from './types.ts';

/** Applies a promo code to the user's account, once. Never throws: see the result. */
export async function applyPromoCode(
  session: Session,
  request: ApplyPromoCodeRequest,
  options?: RequestOptions,
): Promise<Result<PromoCodeApplied>> {
  return (await send<PromoCodeApplied>(session, '/promoCode/apply', request, options)).result;
}
