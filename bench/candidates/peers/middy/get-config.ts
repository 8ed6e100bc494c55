import { parser } from '@aws-lambda-powertools/parser/middleware';
import * as z from 'zod';
import { clients } from '../client.ts';
import { readConfiguration } from '../configuration.ts';
import { parseField } from '../field.ts';
import { ok, steps } from '../powertools/steps.ts';
import { GetConfigRequest } from '../requests.ts';
import { jsonOf } from './json-of.ts';

const clientOf = clients((item) => readConfiguration(item, parseField));

export const handler = steps()
  .use(parser({ schema: z.looseObject({ body: jsonOf(GetConfigRequest) }) }))
  .handler(async ({ body: { request, warnings }, requestHeaders, claims }) => {
    const configuration = await clientOf(request.clientId, requestHeaders.appId, claims);
    return ok(configuration.data, [...warnings, ...configuration.warnings]);
  });
