import { Duration } from 'aws-cdk-lib';
import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import { ALL_HEADERS, EXPOSED_HEADERS } from '../../functions/http/request-headers.ts';
import { ANY_ORIGIN } from '../../functions/middlewares/cors.ts';
import type { Settings } from '../settings/settings.ts';

/** Browsers ask again after this time. Chromium's maximum. */
const PREFLIGHT_MAX_AGE = Duration.hours(2);

/**
 * Answers preflights: the origins in the settings may send a POST with any header. The wildcard
 * does not cover `Authorization`, and older browsers do not know it.
 */
export function answerPreflights(resource: IResource, { corsOrigins }: Settings): void {
  if (!corsOrigins) return;
  resource.addCorsPreflight({
    allowOrigins: [corsOrigins].flat(),
    allowMethods: ['POST'],
    allowHeaders: [...ALL_HEADERS.map(({ name }) => name), '*'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
}

/**
 * Returns the CORS headers of the gateway's own responses. Static headers allow every origin. That
 * is safe: other origins fail at the preflight, and these responses have no data.
 */
export function gatewayCorsHeaders({ corsOrigins }: Settings): Readonly<Record<string, string>> {
  if (!corsOrigins) return {};
  return {
    'Access-Control-Allow-Origin': ANY_ORIGIN,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
  };
}
