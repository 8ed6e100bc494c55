import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { applyPromoCode } from '../apply-promo-code.ts';
import { clientAuthorizer } from '../authorize-client.ts';
import { authorizeUser } from '../authorize-user.ts';
import { ApplyPromoCodeRequest } from '../requests.ts';
import { apiHandler } from './api-handler.ts';
import { metrics, observers } from './observers.ts';
import { okResponse } from './responses.ts';

const authorizeClient = clientAuthorizer(() => undefined);

export const handler = apiHandler(observers())
  .use(parser({ schema: z.looseObject({ body: JSONStringified(ApplyPromoCodeRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    await authorizeClient(request.clientId, requestHeaders.appId, claims);
    authorizeUser(request.userId, claims);
    const data = await applyPromoCode(request, requestHeaders);
    metrics.addMetric('PromoCodeApplied', MetricUnit.Count, 1);
    return okResponse(data, warnings);
  });
