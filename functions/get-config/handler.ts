import { readConfiguration } from '../../core/configuration/read-configuration.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { count } from '../../core/runtime/metrics.ts';
import { apiHandler } from '../middlewares/api-handler.ts';
import { ENVIRONMENT, GetConfigRequest } from './operation.ts';

const environment = readEnvironment(ENVIRONMENT);

/** Handles `getConfig`: returns the fields that the client's app presents. */
export const handler = await apiHandler({
  environment,
  request: GetConfigRequest,
  clientData: readConfiguration,
  operation:
    () =>
    async ({ client: { data }, warnings }) => {
      warnings.push(...data.warnings);
      if (data.leftOut > 0) count('FieldsLeftOut', data.leftOut);
      return data.configuration;
    },
});
