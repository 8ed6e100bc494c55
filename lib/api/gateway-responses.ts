import {
  type ResponseType as GatewayResponseType,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { errorEnvelope } from '../../functions/http/envelope.ts';
import {
  type ApiError,
  InternalServerError,
  MethodNotAllowedError,
  PayloadTooLargeError,
  RequestBlockedError,
  ResourceNotFoundError,
  ThrottlingError,
  ValidationError,
} from '../../functions/http/errors.ts';

const notFound = new ResourceNotFoundError();
const throttled = new ThrottlingError();
const internalError = new InternalServerError();

/**
 * The errors that API Gateway generates itself, each with the equivalent error of the API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const GATEWAY_ERRORS: readonly (readonly [GatewayResponseType, ApiError])[] = [
  // API Gateway reports an unknown path as a missing token. If the request has an Authorization
  // header, it may report a bad IAM signature or an expired token instead. No method here uses IAM.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  // Only the methods that method-not-allowed.ts refuses have media types.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, new MethodNotAllowedError()],
  [ResponseType.REQUEST_TOO_LARGE, new PayloadTooLargeError('The request is too large.')],
  [ResponseType.THROTTLED, throttled],
  [ResponseType.QUOTA_EXCEEDED, throttled],
  // A rate limit of our web ACL has a response of its own. If another web ACL is associated, its
  // rate limits get this one too.
  [ResponseType.WAF_FILTERED, new RequestBlockedError()],
  [ResponseType.INTEGRATION_FAILURE, internalError],
  [ResponseType.INTEGRATION_TIMEOUT, internalError],
  [
    ResponseType.DEFAULT_4XX,
    new ValidationError([{ message: 'The gateway could not parse the request.' }]),
  ],
  [ResponseType.DEFAULT_5XX, internalError],
];

/**
 * Puts every error that API Gateway generates itself into the envelope of the API.
 *
 * @param headers the headers of all responses.
 */
export function addGatewayResponses(api: RestApi, headers: Readonly<Record<string, string>>): void {
  for (const [type, error] of GATEWAY_ERRORS) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(error.statusCode),
      responseHeaders: Object.fromEntries(
        Object.entries({
          ...(error instanceof MethodNotAllowedError && { Allow: error.allow }),
          ...headers,
        }).map(([name, value]) => [name, `'${value}'`]),
      ),
      templates: { 'application/json': JSON.stringify(errorEnvelope(error)) },
    });
  }
}
