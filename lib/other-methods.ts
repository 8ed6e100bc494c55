import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { errorEnvelope } from '../functions/api/envelope.ts';
import { MethodNotAllowedError } from '../functions/api/errors.ts';

/**
 * Answers the methods that a path does not have with 405 and `Allow`, without calling a function. API Gateway itself would
 * report them like an unknown path.
 */
export function refuseOtherMethods(resource: IResource): void {
  const error = new MethodNotAllowedError();
  const statusCode = String(error.statusCode);
  const allow = 'method.response.header.Allow';
  resource.addMethod(
    'ANY',
    new MockIntegration({
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: error.statusCode }) },
      // Otherwise API Gateway takes a body of another media type for the template. It reports those as
      // UNSUPPORTED_MEDIA_TYPE, which gateway-responses.ts answers with the same 405:
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html
      passthroughBehavior: PassthroughBehavior.NEVER,
      integrationResponses: [
        {
          statusCode,
          responseParameters: { [allow]: `'${error.allow}'` },
          responseTemplates: { 'application/json': JSON.stringify(errorEnvelope(error)) },
        },
      ],
    }),
    { methodResponses: [{ statusCode, responseParameters: { [allow]: true } }] },
  );
}
