import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { acceptPromoEvent } from '../../core/promo-events/accept-promo-event.ts';
import { client } from '../api/authorize-client.ts';
import { envelope } from '../api/envelope.ts';
import { requiredHeaders } from '../api/headers.ts';
import { idToken } from '../api/id-token.ts';
import { jsonBody } from '../api/json-body.ts';
import { NO_EARLY_TIMEOUT, withTimeout } from '../api/timeout.ts';
import { userBinding } from './authorize-user.ts';
import { ApplyPromoCodeRequest } from './request.ts';

const ANSWERS = {
  applied: { message: 'The promo code was applied.' },
  repeated: {
    message: 'The promo code had been applied to this account before; this request was recorded.',
  },
  queued: { message: 'The promo code was accepted.' },
};

/** `promoCode/apply`: applies a promo code to an account, once. */
export const handler = withTimeout(
  middy<APIGatewayProxyEvent>(NO_EARLY_TIMEOUT)
    .use(envelope())
    .use(requiredHeaders())
    .use(idToken())
    .use(jsonBody(ApplyPromoCodeRequest))
    .use(client([], () => undefined))
    .use(userBinding())
    .handler(async ({ request, requestHeaders: { deviceId, requestDate }, notices }, context) => {
      const event = { ...request, deviceId, requestDate, receivedAt: new Date().toISOString() };
      const accepted = await acceptPromoEvent(event, context.getRemainingTimeInMillis());
      if (accepted === 'queued') notices.push('The promo code is being processed.');
      return ANSWERS[accepted];
    }),
);
