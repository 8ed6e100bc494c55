import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { checkUser, clients } from '../client.ts';
import { applyPromoCode } from '../promo-code.ts';
import { ApplyPromoCodeRequest } from '../requests.ts';
import { metrics, observers } from './observers.ts';
import { ok, steps } from './steps.ts';

const clientOf = clients(() => undefined);

export const handler = steps(observers())
  .use(parser({ schema: z.looseObject({ body: JSONStringified(ApplyPromoCodeRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    await clientOf(request.clientId, requestHeaders.appId, claims);
    checkUser(request.userId, claims);
    const data = await applyPromoCode(request, requestHeaders);
    metrics.addMetric('PromoCodeApplied', MetricUnit.Count, 1);
    return ok(data, warnings);
  });
