import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  type ReadConfiguration,
  readConfiguration,
} from '../../core/configuration/read-configuration.ts';
import { logger } from '../../core/platform/logger.ts';
import { count } from '../../core/platform/metrics.ts';
import { type ConfigsItem, client } from '../api/authorize-client.ts';
import { envelope } from '../api/envelope.ts';
import { requiredHeaders } from '../api/headers.ts';
import { idToken } from '../api/id-token.ts';
import { jsonBody } from '../api/json-body.ts';
import { NO_EARLY_TIMEOUT, withTimeout } from '../api/timeout.ts';
import { GetConfigRequest } from './request.ts';

/** `getConfig`: which data collection components the client's app presents. */
export const handler = withTimeout(
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
