import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { errorEnvelope } from '../../functions/http/envelope.ts';
import { MethodNotAllowedError } from '../../functions/http/errors.ts';

/**
 * Answers the methods that a path does not have with 405 and `Allow`, without calling a function.
 * API Gateway itself would report them like an unknown path.
 *
 * @param headers more headers of the response.
 */
export function refuseOtherMethods(
  resource: IResource,
  headers: Readonly<Record<string, string>>,
): void {
  const error = new MethodNotAllowedError();
  const statusCode = String(error.statusCode);
  const parameters = Object.entries({ Allow: error.allow, ...headers }).map(
    ([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const,
  );
  resource.addMethod(
    'ANY',
    new MockIntegration({
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: error.statusCode }) },
      // Otherwise API Gateway passes on a body of another media type in place of the template. It
      // reports those as UNSUPPORTED_MEDIA_TYPE, which gateway-responses.ts answers with the same
      // 405:
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
