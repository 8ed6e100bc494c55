import {
  type ResponseType as GatewayResponseType,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { errorEnvelope } from '../functions/api/envelope.ts';
import {
  type ApiError,
  InternalServerError,
  PayloadTooLargeError,
  ResourceNotFoundError,
  ThrottlingError,
  ValidationError,
} from '../functions/api/errors.ts';

const notFound = new ResourceNotFoundError();
const throttled = new ThrottlingError();
const failed = new InternalServerError();

/**
 * The errors that API Gateway answers by itself, each with the error of ours that says the same.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const GATEWAY_ERRORS: readonly (readonly [GatewayResponseType, ApiError])[] = [
  // An unknown path or method, as API Gateway calls it; with an Authorization header it can also take the request for
  // one that is badly signed for IAM. No method here uses IAM.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [ResponseType.REQUEST_TOO_LARGE, new PayloadTooLargeError('The request is too large.')],
  [ResponseType.THROTTLED, throttled],
  [ResponseType.QUOTA_EXCEEDED, throttled],
  [ResponseType.WAF_FILTERED, throttled],
  [ResponseType.INTEGRATION_FAILURE, failed],
  [ResponseType.INTEGRATION_TIMEOUT, failed],
  [
    ResponseType.DEFAULT_4XX,
    new ValidationError([{ message: 'The request is not one that the API can read.' }]),
  ],
  [ResponseType.DEFAULT_5XX, failed],
];

/** Gives every error that API Gateway makes itself the envelope of the API. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, error] of GATEWAY_ERRORS) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(error.statusCode),
      templates: { 'application/json': JSON.stringify(errorEnvelope(error)) },
    });
  }
}
