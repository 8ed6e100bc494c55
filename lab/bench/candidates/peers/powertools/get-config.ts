import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { clientAuthorizer } from '../authorize-client.ts';
import { readConfiguration } from '../configuration.ts';
import { parseField } from '../field.ts';
import { GetConfigRequest } from '../requests.ts';
import { apiHandler } from './api-handler.ts';
import { metrics, observers } from './observers.ts';
import { okResponse } from './responses.ts';

const authorizeClient = clientAuthorizer((item) => readConfiguration(item, parseField));

export const handler = apiHandler(observers())
  .use(parser({ schema: z.looseObject({ body: JSONStringified(GetConfigRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    const configuration = await authorizeClient(request.clientId, requestHeaders.appId, claims);
    metrics.addMetric('ConfigurationServed', MetricUnit.Count, 1);
    return okResponse(configuration.data, [...warnings, ...configuration.warnings]);
  });
