import { expect, test } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { templateFor } from '../support/stack.ts';

const template = templateFor();

test('each path of an operation answers other methods with 405 and Allow, in the envelope', () => {
  const others = Object.values(
    template.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: 'ANY' } }),
  );
  expect(others).toHaveLength(OPERATIONS.flatMap(({ paths }) => paths).length);
  for (const { Properties } of others) {
    const { Type, PassthroughBehavior, RequestTemplates, IntegrationResponses } =
      Properties.Integration;
    expect({ Type, PassthroughBehavior }).toEqual({ Type: 'MOCK', PassthroughBehavior: 'NEVER' });
    // A mock takes its status from here.
    expect(JSON.parse(RequestTemplates['application/json'])).toEqual({ statusCode: 405 });
    expect(IntegrationResponses).toHaveLength(1);
    const [{ StatusCode, ResponseParameters, ResponseTemplates }] = IntegrationResponses;
    expect([StatusCode, ResponseParameters]).toEqual([
      '405',
      { 'method.response.header.Allow': "'POST'" },
    ]);
    expect(JSON.parse(ResponseTemplates['application/json']).data).toMatchObject({
      code: 'MethodNotAllowedException',
      statusCode: 405,
    });
    // A mapping template would replace variables and directives.
    expect(ResponseTemplates['application/json']).not.toMatch(/[$#]/);
    // API Gateway drops a header that the method does not declare.
    expect(Properties.MethodResponses).toEqual([
      { StatusCode: '405', ResponseParameters: { 'method.response.header.Allow': true } },
    ]);
  }
});

test('a media type that a mock refuses is answered with the same status and header', () => {
  template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
    ResponseType: 'UNSUPPORTED_MEDIA_TYPE',
    StatusCode: '405',
    ResponseParameters: { 'gatewayresponse.header.Allow': "'POST'" },
  });
});
