import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { checkUser, clients } from '../client.ts';
import { ok, steps } from '../powertools/steps.ts';
import { applyPromoCode } from '../promo-code.ts';
import { ApplyPromoCodeRequest } from '../requests.ts';
import { jsonOf } from './json-of.ts';

const clientOf = clients(() => undefined);

export const handler = steps()
  .use(parser({ schema: z.looseObject({ body: jsonOf(ApplyPromoCodeRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    await clientOf(request.clientId, requestHeaders.appId, claims);
    checkUser(request.userId, claims);
    const data = await applyPromoCode(request, requestHeaders);
    return ok(data, warnings);
  });
