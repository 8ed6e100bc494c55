import {
  type ResponseType as GatewayResponseType,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CONTENT_TYPE, errorEnvelope } from '../../functions/http/envelope.ts';
import {
  type ApiError,
  BadRequestError,
  InternalServerError,
  MethodNotAllowedError,
  PayloadTooLargeError,
  RequestBlockedError,
  ResourceNotFoundError,
  ThrottlingError,
  UnsupportedMediaTypeError,
} from '../../functions/http/errors.ts';

const notFound = new ResourceNotFoundError();
const throttled = new ThrottlingError();
const internalError = new InternalServerError();

/**
 * API Gateway's own errors, with the equivalent errors of the API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const GATEWAY_ERRORS: readonly (readonly [GatewayResponseType, ApiError])[] = [
  // API Gateway reports an unknown path as a missing token or, with an Authorization header, as a
  // bad IAM signature or an expired token. No method here uses IAM.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, new UnsupportedMediaTypeError()],
  [ResponseType.REQUEST_TOO_LARGE, new PayloadTooLargeError('The request is too large.')],
  [ResponseType.THROTTLED, throttled],
  [ResponseType.QUOTA_EXCEEDED, throttled],
  // Rate limits of our web ACL have their own response. Those of another web ACL get this one.
  [ResponseType.WAF_FILTERED, new RequestBlockedError()],
  [ResponseType.INTEGRATION_FAILURE, internalError],
  [ResponseType.INTEGRATION_TIMEOUT, internalError],
  [ResponseType.DEFAULT_4XX, new BadRequestError()],
  [ResponseType.DEFAULT_5XX, internalError],
];

/** Puts API Gateway's own errors into the envelope. `headers` are added to all of them. */
export function addGatewayResponses(api: RestApi, headers: Readonly<Record<string, string>>): void {
  for (const [type, error] of GATEWAY_ERRORS) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(error.statusCode),
      responseHeaders: Object.fromEntries(
        Object.entries({ ...CONTENT_TYPE, ...error.headers, ...headers }).map(([name, value]) => [
          name,
          `'${value}'`,
        ]),
      ),
      templates: { 'application/json': JSON.stringify(errorEnvelope(error)) },
    });
  }
}

/** Types of bodies that browsers and HTTP clients send without being asked. */
const USUAL_MEDIA_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
  'text/html',
  'text/xml',
  'application/xml',
  'application/octet-stream',
];

/**
 * Answers all other methods of a path with 405, `Allow` and `headers`, without calling a function.
 * API Gateway itself would report an unknown path.
 */
export function refuseOtherMethods(
  resource: IResource,
  headers: Readonly<Record<string, string>>,
): void {
  const error = new MethodNotAllowedError();
  const statusCode = String(error.statusCode);
  const parameters = Object.entries({ ...CONTENT_TYPE, ...error.headers, ...headers }).map(
    ([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const,
  );
  resource.addMethod(
    'ANY',
    new MockIntegration({
      requestTemplates: Object.fromEntries(
        USUAL_MEDIA_TYPES.map((type) => [type, JSON.stringify({ statusCode: error.statusCode })]),
      ),
      // Otherwise API Gateway passes a body of another media type through, in place of the
      // template. It reports these as UNSUPPORTED_MEDIA_TYPE: 415.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html
      passthroughBehavior: PassthroughBehavior.NEVER,
      integrationResponses: [
        {
          statusCode,
          responseParameters: Object.fromEntries(parameters),
          responseTemplates: { 'application/json': JSON.stringify(errorEnvelope(error)) },
        },
      ],
    }),
    {
      methodResponses: [
        {
          statusCode,
          responseParameters: Object.fromEntries(parameters.map(([name]) => [name, true])),
        },
      ],
    },
  );
}
