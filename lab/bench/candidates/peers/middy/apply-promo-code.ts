import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { applyPromoCode } from '../apply-promo-code.ts';
import { clientAuthorizer } from '../authorize-client.ts';
import { authorizeUser } from '../authorize-user.ts';
import { apiHandler } from '../powertools/api-handler.ts';
import { okResponse } from '../powertools/responses.ts';
import { ApplyPromoCodeRequest } from '../requests.ts';
import { jsonStringified } from './json-stringified.ts';

const authorizeClient = clientAuthorizer(() => undefined);

export const handler = apiHandler()
  .use(parser({ schema: z.looseObject({ body: jsonStringified(ApplyPromoCodeRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    await authorizeClient(request.clientId, requestHeaders.appId, claims);
    authorizeUser(request.userId, claims);
    const data = await applyPromoCode(request, requestHeaders);
    return okResponse(data, warnings);
  });
