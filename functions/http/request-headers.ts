/* The headers of a request (spec, "Authentication") and of a response. */

/** The five headers that every request carries, with the values that documents show. */
export const HEADERS = {
  contentType: { name: 'Content-Type', placeholder: 'application/json' },
  authorization: { name: 'Authorization', placeholder: 'Bearer <ID_TOKEN>' },
  appId: { name: 'App-Id', placeholder: '<API_KEY>' },
  deviceId: { name: 'Device-Id', placeholder: '<advertising id>' },
  requestDate: { name: 'Request-Date', placeholder: '2026-11-20T09:30:00Z' },
} as const;

/** Optional: the languages that the customer reads (RFC 9110 section 12.5.4). */
export const ACCEPT_LANGUAGE = 'Accept-Language';
/** Optional: an id that the app made for its installation. It chooses the group of a rollout. */
export const INSTALLATION_ID = 'Installation-Id';
/** During a rollout, the digest of the stored configuration, as the history has it. */
export const CONFIG_VERSION = 'Config-Version';
/** During a rollout, the group of a device in one: `candidate` or `control`. */
export const CONFIG_GROUP = 'Config-Group';
/** In a response whose language is known (RFC 9110 section 8.5). */
export const CONTENT_LANGUAGE = 'Content-Language';

/**
 * The largest headers of a request that API Gateway reads, all together, in bytes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
export const MAX_HEADER_BYTES = 10_240;

/** Response headers that apps read and browsers would not expose by default. */
export const EXPOSED_HEADERS = ['x-amzn-RequestId', 'Date', 'Retry-After'] as const;

/** A key of the table, such as `appId`. */
export type Header = keyof typeof HEADERS;

/** The name of a header, such as `App-Id`. */
export type HeaderName = (typeof HEADERS)[Header]['name'];

/** The values of the request headers. */
export interface RequestHeaders {
  /** The ID token in `Authorization`. */
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  /** ISO 8601 date and time, UTC. */
  readonly requestDate: string;
}

/** Writes the headers of a request. */
export function headersOf(values: RequestHeaders): Record<HeaderName, string> {
  return {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${values.idToken}`,
    'App-Id': values.appId,
    'Device-Id': values.deviceId,
    'Request-Date': values.requestDate,
  };
}
