import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { clients } from '../client.ts';
import { readConfiguration } from '../configuration.ts';
import { parseField } from '../field.ts';
import { GetConfigRequest } from '../requests.ts';
import { metrics, observers } from './observers.ts';
import { ok, steps } from './steps.ts';

const clientOf = clients((item) => readConfiguration(item, parseField));

export const handler = steps(observers())
  .use(parser({ schema: z.looseObject({ body: JSONStringified(GetConfigRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    const configuration = await clientOf(request.clientId, requestHeaders.appId, claims);
    metrics.addMetric('ConfigurationServed', MetricUnit.Count, 1);
    return ok(configuration.data, [...warnings, ...configuration.warnings]);
  });
