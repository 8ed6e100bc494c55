import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RequestHeaders } from '../headers.ts';
import type { Claims } from '../issuer.ts';

/** An event with what the middlewares have read from it. */
export interface CheckedEvent extends APIGatewayProxyEvent {
  requestHeaders: RequestHeaders;
  claims: Claims;
  warnings: readonly string[];
}
