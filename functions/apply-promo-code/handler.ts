import { identified } from '../../core/promo-events/code-identity.ts';
import { asStored } from '../../core/promo-events/device-id.ts';
import { storeOrQueue } from '../../core/promo-events/store-or-queue.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { apiHandler } from '../middlewares/api-handler.ts';
import { bindUser } from './bind-user.ts';
import { ApplyPromoCodeRequest, ENVIRONMENT } from './operation.ts';

const MESSAGES = {
  applied: 'The promo code was applied.',
  repeated: 'The promo code had been applied to this account before; this request was recorded.',
  queued: 'The promo code was accepted.',
};

/** One date stands for one request, which is stored once. Names only: a token is a secret. */
const notStoredWarning = (names: readonly string[]) =>
  `The values of ${names.join(', ')} were not stored: another request with the same Request-Date had other values, or none, and was stored before.`;

const environment = readEnvironment(ENVIRONMENT);

/** Handles `promoCode/apply`: applies a promo code to an account, once. */
export const handler = await apiHandler({
  environment,
  request: ApplyPromoCodeRequest,
  clientData: ({ promoCodesIgnoreCase }) => ({ promoCodesIgnoreCase }),
  checks: [bindUser(environment.USER_ID_CLAIM)],
  operation: (documentClient) => {
    const acceptPromoEvent = storeOrQueue({
      table: {
        documentClient,
        tableName: environment.PROMO_EVENTS_TABLE_NAME,
        retentionDays: environment.PROMO_EVENT_RETENTION_DAYS,
      },
      queueUrl: environment.PROMO_EVENTS_QUEUE_URL,
    });
    return async ({ client, request, requestHeaders, warnings, notices }, context) => {
      const { deviceId, requestDate } = requestHeaders;
      const event = {
        ...identified(request, client.data.promoCodesIgnoreCase),
        deviceId,
        requestDate,
        receivedAt: new Date().toISOString(),
      };
      const { kind: outcome, notStored } = await acceptPromoEvent(
        asStored(event, environment.STORE_DEVICE_IDS),
        context.getRemainingTimeInMillis(),
      );
      if (outcome === 'queued') notices.push('The promo code is being processed.');
      if (notStored.length > 0) warnings.push(notStoredWarning(notStored));
      return { message: MESSAGES[outcome], outcome };
    };
  },
});
