/*
 * The headers of a request (spec, "Authentication") and of a response. This file imports nothing:
 * the middleware, the OpenAPI document, the app client, the smoke checks and the tests all read
 * this table.
 */

/**
 * The five headers that every request carries: their names, and what documents show as their
 * values.
 */
export const HEADERS = {
  contentType: { name: 'Content-Type', placeholder: 'application/json' },
  authorization: { name: 'Authorization', placeholder: 'Bearer <ID_TOKEN>' },
  appId: { name: 'App-Id', placeholder: '<API_KEY>' },
  deviceId: { name: 'Device-Id', placeholder: '<advertising id>' },
  requestDate: { name: 'Request-Date', placeholder: '2026-11-20T09:30:00Z' },
} as const;

/**
 * The headers of a response that apps read, besides those that browsers always show. The gateway
 * sets both.
 */
export const EXPOSED_HEADERS = ['x-amzn-RequestId', 'Date'] as const;

/** A header of the table, such as `appId`. */
export type Header = keyof typeof HEADERS;

/** The name of a header, such as `App-Id`. */
export type HeaderName = (typeof HEADERS)[Header]['name'];

/** What the headers of a request say. */
export interface RequestHeaders {
  /** The ID token that `Authorization` carries. */
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  /** ISO 8601 date and time in UTC. */
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
