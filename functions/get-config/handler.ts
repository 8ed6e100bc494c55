import type { ConfigsItem } from '../../core/clients/client-record.ts';
import {
  type ReadConfiguration,
  readConfiguration,
} from '../../core/configuration/read-configuration.ts';
import { createDocumentClient } from '../../core/platform/document-client.ts';
import { readEnvironment } from '../../core/platform/environment.ts';
import { logger } from '../../core/platform/logger.ts';
import { count } from '../../core/platform/metrics.ts';
import { apiHandler } from '../api/api-handler.ts';
import { ENVIRONMENT, GetConfigRequest } from './operation.ts';

const environment = readEnvironment(ENVIRONMENT);

/** `getConfig`: which data collection components the client's app presents. */
export const handler = await apiHandler({
  environment,
  documentClient: createDocumentClient(environment.DYNAMODB_ENDPOINT),
  request: GetConfigRequest,
  clientData: readAndReport,
  operation: async ({ client: { data }, warnings }) => {
    warnings.push(...data.warnings);
    if (data.leftOut > 0) count('FieldsLeftOut', data.leftOut);
    return data.configuration;
  },
});

/** Reads the configuration and reports to the operator, once per change of the item, what to correct in it. */
function readAndReport(item: ConfigsItem, clientId: string): ReadConfiguration {
  const read = readConfiguration(item);
  for (const problem of read.problems) {
    logger.error('Configuration to correct', { clientId, problem });
  }
  return read;
}
