import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ConfigsItem, client } from '../http/client.ts';
import { earlyTimeout } from '../http/early-timeout.ts';
import { envelope } from '../http/envelope.ts';
import { idToken } from '../http/id-token.ts';
import { jsonBody } from '../http/json-body.ts';
import { logger } from '../http/logger.ts';
import { count } from '../http/metrics.ts';
import { requiredHeaders } from '../http/required-headers.ts';
import { type ReadConfiguration, readConfiguration } from './configuration.ts';
import { GetConfigRequest } from './request.ts';

/** `getConfig`: which data collection components the client's app presents. */
export const handler = middy<APIGatewayProxyEvent>(earlyTimeout)
  .use(envelope())
  .use(requiredHeaders())
  .use(idToken())
  .use(jsonBody(GetConfigRequest))
  .use(client(['fields', 'lastFieldId'], readAndReport))
  .handler(async ({ client: { configuration, leftOut }, warnings }) => {
    if (leftOut > 0) warnings.push(leftOutWarning(leftOut));
    return configuration;
  });

/** Reads the configuration and tells the operator, once for each read of the item, what to correct in it. */
function readAndReport(item: ConfigsItem, clientId: string): ReadConfiguration {
  const read = readConfiguration(item);
  for (const problem of read.problems)
    logger.error('Configuration to correct', { clientId, problem });
  if (read.leftOut > 0) count('FieldsLeftOut', read.leftOut, { clientId });
  return read;
}

function leftOutWarning(leftOut: number): string {
  const [fields, its] =
    leftOut === 1 ? ['1 field was', 'its'] : [`${leftOut} fields were`, 'their'];
  return `${fields} left out because ${its} stored configuration is not valid.`;
}
