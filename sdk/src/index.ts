import { send } from './send.ts';
import type {
  ApplyPromoCodeRequest,
  Configuration,
  GetConfigRequest,
  PromoCodeApplied,
  RequestOptions,
  Result,
  Session,
} from './types.ts';

export {
  type AnswerProblem,
  type AppUi,
  checkAnswers,
  emptyAnswers,
  type FormField,
  fieldsFor,
  type Instance,
  normalizedAnswer,
} from './fields.ts';
export { indexedDbStorage } from './indexed-db-storage.ts';
export {
  type PromoCodeQueue,
  type PromoCodeQueueOptions,
  promoCodeQueue,
  type QueuedCode,
  type QueuedResult,
  type QueueStorage,
} from './promo-code-queue.ts';
export type { QueueLock } from './tabs.ts';
export type * from './types.ts';

/** Gets the data collection components that the app presents. Never throws: see the result. */
export async function getConfig(
  session: Session,
  request: GetConfigRequest,
  options?: RequestOptions,
): Promise<Result<Configuration>> {
  return (await send<Configuration>(session, '/customData/getConfig', request, options)).result;
}

/** Applies a promo code to the user's account, once. Never throws: see the result. */
export async function applyPromoCode(
  session: Session,
  request: ApplyPromoCodeRequest,
  options?: RequestOptions,
): Promise<Result<PromoCodeApplied>> {
  return (await send<PromoCodeApplied>(session, '/promoCode/apply', request, options)).result;
}
