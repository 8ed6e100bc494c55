import { storeOrQueue } from '../../core/promo-events/store-or-queue.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { apiHandler } from '../middlewares/api-handler.ts';
import { authorizeUser } from './authorize-user.ts';
import { ApplyPromoCodeRequest, ENVIRONMENT } from './operation.ts';

const MESSAGES = {
  applied: 'The promo code was applied.',
  repeated: 'The promo code had been applied to this account before; this request was recorded.',
  queued: 'The promo code was accepted.',
};

const environment = readEnvironment(ENVIRONMENT);

/** Handles `promoCode/apply`: applies a promo code to an account, once. */
export const handler = await apiHandler({
  environment,
  request: ApplyPromoCodeRequest,
  clientData: () => undefined,
  checks: [authorizeUser(environment.USER_ID_CLAIM)],
  operation: (documentClient) => {
    const acceptPromoEvent = storeOrQueue({
      table: {
        documentClient,
        tableName: environment.PROMO_EVENTS_TABLE_NAME,
        retentionDays: environment.PROMO_EVENT_RETENTION_DAYS,
      },
      queueUrl: environment.PROMO_EVENTS_QUEUE_URL,
    });
    return async ({ request, requestHeaders: { deviceId, requestDate }, notices }, context) => {
      const event = { ...request, deviceId, requestDate, receivedAt: new Date().toISOString() };
      const outcome = await acceptPromoEvent(event, context.getRemainingTimeInMillis());
      if (outcome === 'queued') notices.push('The promo code is being processed.');
      return { message: MESSAGES[outcome], outcome };
    };
  },
});
