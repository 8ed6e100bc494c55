/*
 * The headers of a request (spec, "Authentication") and of a response. Middleware, preflights, web
 * ACL and document take them from here.
 */

/**
 * The headers that every request carries, with the values that documents show. Logs of the web ACL
 * have only those that tell nothing of a client or a customer.
 */
export const HEADERS = {
  contentType: { name: 'Content-Type', placeholder: 'application/json', isLogged: true },
  authorization: { name: 'Authorization', placeholder: 'Bearer <ID_TOKEN>', isLogged: false },
  appId: { name: 'App-Id', placeholder: '<API_KEY>', isLogged: false },
  deviceId: { name: 'Device-Id', placeholder: '<advertising id>', isLogged: false },
  requestDate: { name: 'Request-Date', placeholder: '2026-11-20T09:30:00Z', isLogged: true },
} as const;

/** The headers that a request may carry. */
export const OPTIONAL_HEADERS = {
  /** The languages that the customer reads (RFC 9110 section 12.5.4). */
  acceptLanguage: { name: 'Accept-Language', isLogged: true },
  /** An id that the app made for its installation. It decides whether a rollout reaches it. */
  installationId: { name: 'Installation-Id', isLogged: false },
} as const;

/** The headers that a request must or may carry. */
export const ALL_HEADERS = [...Object.values(HEADERS), ...Object.values(OPTIONAL_HEADERS)];

/** The digest of the stored configuration, as the history has it. */
export const CONFIG_VERSION = 'Config-Version';
/** The header of a response whose language is known (RFC 9110 section 8.5). */
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

/** A key of the table of optional headers. */
export type OptionalHeader = keyof typeof OPTIONAL_HEADERS;

/** The name of a header, such as `App-Id`. */
export type HeaderName = (typeof HEADERS)[Header]['name'];

/** Values of the request headers. */
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
