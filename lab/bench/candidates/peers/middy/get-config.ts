import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { clientAuthorizer } from '../authorize-client.ts';
import { readConfiguration } from '../configuration.ts';
import { parseField } from '../field.ts';
import { apiHandler } from '../powertools/api-handler.ts';
import { okResponse } from '../powertools/responses.ts';
import { GetConfigRequest } from '../requests.ts';
import { jsonStringified } from './json-stringified.ts';

const authorizeClient = clientAuthorizer((item) => readConfiguration(item, parseField));

export const handler = apiHandler()
  .use(parser({ schema: z.looseObject({ body: jsonStringified(GetConfigRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    const configuration = await authorizeClient(request.clientId, requestHeaders.appId, claims);
    return okResponse(configuration.data, [...warnings, ...configuration.warnings]);
  });
