import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { answerInTime, NO_EARLY_TIMEOUT } from '../http/answer-in-time.ts';
import { client } from '../http/client.ts';
import { envelope } from '../http/envelope.ts';
import { idToken } from '../http/id-token.ts';
import { jsonBody } from '../http/json-body.ts';
import { requiredHeaders } from '../http/required-headers.ts';
import { acceptPromoEvent } from '../promo-events/accept-promo-event.ts';
import { ApplyPromoCodeRequest } from './request.ts';
import { userBinding } from './user-binding.ts';

const ANSWERS = {
  applied: { message: 'The promo code was applied.' },
  repeated: {
    message: 'The promo code had been applied to this account before; this request was recorded.',
  },
  queued: { message: 'The promo code was accepted.' },
};

/** `promoCode/apply`: applies a promo code to an account, once. */
export const handler = answerInTime(
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
