import { installationProblem } from '../../core/device.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { logger } from '../../core/runtime/logger.ts';
import { count } from '../../core/runtime/metrics.ts';
import { readAcceptLanguage } from '../http/accept-language.ts';
import { CONFIG_VERSION, CONTENT_LANGUAGE, OPTIONAL_HEADERS } from '../http/request-headers.ts';
import { apiHandler } from '../middlewares/api-handler.ts';
import { ENVIRONMENT, GetConfigRequest } from './operation.ts';
import { readRolledOut } from './served-configuration.ts';

const environment = readEnvironment(ENVIRONMENT);

/** Handles `getConfig`: returns the fields that the client's app presents. */
export const handler = await apiHandler({
  environment,
  request: GetConfigRequest,
  clientData: readRolledOut,
  operation: () => async (event) => {
    const { client, request, requestContext, requestHeaders, responseHeaders, warnings } = event;
    const { acceptLanguage } = event.optionalHeaders;
    const installationId = event.optionalHeaders.installationId?.join();
    const problem = installationId === undefined ? undefined : installationProblem(installationId);
    if (problem !== undefined) {
      warnings.push(
        `The header ${OPTIONAL_HEADERS.installationId.name} ${problem}, so the device is in no share of a rollout.`,
      );
    }
    const chosen = client.data({ installationId, deviceId: requestHeaders.deviceId });
    const { configuration: data, version } = chosen;
    responseHeaders[CONFIG_VERSION] = version;
    warnings.push(...data.warnings);
    if (data.leftOut > 0) count('FieldsLeftOut', data.leftOut);
    if (!acceptLanguage) return data.configuration;
    const accepted = readAcceptLanguage(acceptLanguage);
    if (accepted.warning !== undefined) {
      warnings.push(accepted.warning);
      const { requestId } = requestContext ?? {};
      logger.warn(`${OPTIONAL_HEADERS.acceptLanguage.name} is malformed`, {
        requestId,
        clientId: request.clientId,
      });
    }
    const { configuration, language } = data.in(accepted);
    if (language !== undefined) responseHeaders[CONTENT_LANGUAGE] = language;
    return configuration;
  },
});
