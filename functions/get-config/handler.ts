import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count } from '../../core/runtime/metrics.ts';
import { readAcceptLanguage } from '../http/accept-language.ts';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from '../http/request-headers.ts';
import { apiHandler } from '../middlewares/api-handler.ts';
import { readLocalized } from './localized-configuration.ts';
import { ENVIRONMENT, GetConfigRequest } from './operation.ts';

const environment = readEnvironment(ENVIRONMENT);

/** Handles `getConfig`: returns the fields that the client's app presents. */
export const handler = await apiHandler({
  environment,
  request: GetConfigRequest,
  clientData: readLocalized,
  operation: () => async (event) => {
    const { acceptLanguage, client, request, requestContext, responseHeaders, warnings } = event;
    const { data } = client;
    warnings.push(...data.warnings);
    if (data.leftOut > 0) count('FieldsLeftOut', data.leftOut);
    if (!acceptLanguage) return data.configuration;
    const accepted = readAcceptLanguage(acceptLanguage);
    if (!accepted) {
      warnings.push(`The header ${ACCEPT_LANGUAGE} is malformed and was ignored.`);
      const { requestId } = requestContext ?? {};
      logger.warn(`${ACCEPT_LANGUAGE} is malformed`, { requestId, clientId: request.clientId });
    }
    const { configuration, language } = data.in(accepted ?? { ranges: [], refused: [] });
    if (language !== undefined) responseHeaders[CONTENT_LANGUAGE] = language;
    return configuration;
  },
});
