import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { answerInTime, NO_EARLY_TIMEOUT } from '../http/answer-in-time.ts';
import { type ConfigsItem, client } from '../http/client.ts';
import { envelope } from '../http/envelope.ts';
import { idToken } from '../http/id-token.ts';
import { jsonBody } from '../http/json-body.ts';
import { logger } from '../http/logger.ts';
import { count } from '../http/metrics.ts';
import { requiredHeaders } from '../http/required-headers.ts';
import { type ReadConfiguration, readConfiguration } from './configuration.ts';
import { GetConfigRequest } from './request.ts';

/** `getConfig`: which data collection components the client's app presents. */
export const handler = answerInTime(
  middy<APIGatewayProxyEvent>(NO_EARLY_TIMEOUT)
    .use(envelope())
    .use(requiredHeaders())
    .use(idToken())
    .use(jsonBody(GetConfigRequest))
    .use(client(['fields', 'lastFieldId'], readAndReport))
    .handler(async ({ client: { configuration, warnings: ofTheItem }, warnings }) => {
      warnings.push(...ofTheItem);
      return configuration;
    }),
);

/** Reads the configuration and tells the operator, once for each read of the item, what to correct in it. */
function readAndReport(item: ConfigsItem, clientId: string): ReadConfiguration {
  const read = readConfiguration(item);
  for (const problem of read.problems)
    logger.error('Configuration to correct', { clientId, problem });
  if (read.leftOut > 0) count('FieldsLeftOut', read.leftOut, { clientId });
  return read;
}
