import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import { EXPOSED_HEADERS, HEADERS } from '../../functions/http/request-headers.ts';
import { ANY_ORIGIN } from '../../functions/middlewares/cors.ts';
import type { Settings } from '../settings/settings.ts';

/** Browsers ask again after this time. Chromium allows no more. */
const PREFLIGHT_MAX_AGE = Duration.hours(2);

/** Answers preflights: an origin of the settings may send a POST with the headers of a request. */
export function answerPreflights(resource: IResource, { corsOrigins }: Settings): void {
  if (!corsOrigins) return;
  resource.addCorsPreflight({
    allowOrigins: [corsOrigins].flat(),
    allowMethods: ['POST'],
    allowHeaders: Object.values(HEADERS).map(({ name }) => name),
    maxAge: PREFLIGHT_MAX_AGE,
  });
}

/**
 * The headers that let browsers show the responses that the gateway makes itself. These are static,
 * so they allow every origin: an origin that the settings do not name fails at its preflight, and
 * these responses contain no data.
 */
export function gatewayCorsHeaders({ corsOrigins }: Settings): Readonly<Record<string, string>> {
  if (!corsOrigins) return {};
  return {
    'Access-Control-Allow-Origin': ANY_ORIGIN,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
  };
}
