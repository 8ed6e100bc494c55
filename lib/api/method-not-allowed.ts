import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { CONTENT_TYPE, errorEnvelope } from '../../functions/http/envelope.ts';
import { MethodNotAllowedError } from '../../functions/http/errors.ts';

/** What browsers and HTTP clients send as a body without being asked. */
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
