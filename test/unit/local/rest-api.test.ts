import { describe, expect, test } from 'vitest';
import { readRestApi } from '../../../local/rest-api.ts';
import { Template, type TemplateBody } from '../../../local/template.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const read = (resources: Record<string, { Type: string; Properties: unknown }>) =>
  readRestApi(new Template({ Resources: resources, Outputs: {} } as TemplateBody, 'Stack'));

const lambda = { Type: 'AWS::Lambda::Function', Properties: {} };
/** As the CDK refers to a function: by the ARN of an alias. */
const alias = (id: string) => ({
  Type: 'AWS::Lambda::Alias',
  Properties: { FunctionName: { Ref: id }, Name: 'live' },
});

describe('a route', () => {
  const resource = (ParentId: object, PathPart: string) => ({
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId, PathPart },
  });
  const resources = {
    One: resource(arnOf('Api'), 'one'),
    Two: resource({ Ref: 'One' }, 'two'),
    GetConfig: lambda,
    GetConfigLive: alias('GetConfig'),
    Method: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        HttpMethod: 'POST',
        ResourceId: { Ref: 'Two' },
        Integration: {
          Uri: {
            'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, { Ref: 'GetConfigLive' }, '/x']],
          },
        },
      },
    },
  };
  const routesOf = (MethodSettings?: object[]) =>
    read({
      ...resources,
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { MethodSettings } },
    }).routes;
  const settings = (HttpMethod: string, ResourcePath: string, rate?: number, burst?: number) => ({
    ...{ HttpMethod, ResourcePath, ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
  });

  test('has the parts of its parents in its path', () => {
    const [throttle, path] = [undefined, '/one/two'];
    const route = { method: 'POST', path, functionLogicalId: 'GetConfig', throttle };
    expect(routesOf()).toEqual([route]);
    expect(read(resources).routes).toEqual([route]);
  });

  test.each([
    ['its own', [settings('*', '/*', 1, 2), settings('POST', '/~1one~1two', 3, 4)], 3, 4],
    ['its own first', [settings('POST', '/~1one~1two', 3, 4), settings('*', '/*', 1, 2)], 3, 4],
    ['those of the stage', [settings('*', '/*', 1, 2), settings('GET', '/~1one~1two', 3, 4)], 1, 2],
    [
      'not those of its parent',
      [settings('POST', '/~1one', 3, 4), settings('*', '/*', 1, 2)],
      1,
      2,
    ],
  ])('has limits: %s', (_, all, requestsPerSecond, burst) => {
    expect(routesOf(all)[0]?.throttle).toEqual({ requestsPerSecond, burst });
  });

  test('without a function is refused', () => {
    const { GetConfig, ...others } = resources;
    expect(() => read(others)).toThrow('cannot resolve {"Ref":"GetConfig"}');
  });

  test.each([
    [undefined, undefined],
    [1, undefined],
    [undefined, 2],
  ])('without both limits in its settings is not throttled: %s, %s', (rate, burst) => {
    expect(routesOf([settings('*', '/*', rate, burst)])[0]?.throttle).toBeUndefined();
  });
});

test('a mock has its media types, its status, its headers and its template', () => {
  const method = (Integration: object) => ({
    Type: 'AWS::ApiGateway::Method',
    Properties: { HttpMethod: 'ANY', ResourceId: arnOf('Api'), Integration },
  });
  const response = {
    StatusCode: '405',
    ResponseParameters: { 'method.response.header.Allow': "'POST'" },
    ResponseTemplates: { 'application/json': '{}' },
  };
  const strict = {
    PassthroughBehavior: 'NEVER',
    RequestTemplates: { 'application/json': '{}' },
    IntegrationResponses: [response],
  };
  const lenient = { IntegrationResponses: [{ StatusCode: '204' }] };
  const { routes, mockMethods } = read({
    Strict: method({ Type: 'MOCK', ...strict }),
    Lenient: method({ Type: 'MOCK', ...lenient }),
    GetConfig: lambda,
    Route: method({ Type: 'AWS_PROXY', Uri: arnOf('GetConfig') }),
  });
  const common = { method: 'ANY', path: '' };
  expect(mockMethods).toEqual([
    {
      ...common,
      mediaTypes: ['application/json'],
      response: { statusCode: 405, headers: { Allow: 'POST' }, body: '{}' },
    },
    {
      ...common,
      mediaTypes: undefined,
      response: { statusCode: 204, headers: {}, body: '' },
    },
  ]);
  expect(routes).toHaveLength(1);
});

test('a gateway response has its status, its headers and its body', () => {
  const responses = (ResponseParameters?: object) =>
    read({
      Response: {
        Type: 'AWS::ApiGateway::GatewayResponse',
        Properties: {
          ResponseType: 'THROTTLED',
          StatusCode: '429',
          ResponseTemplates: { 'application/json': '{}' },
          ResponseParameters,
        },
      },
    }).gatewayResponses;
  expect(responses().get('THROTTLED')).toEqual({ statusCode: 429, headers: {}, body: '{}' });
  expect(responses({ 'gatewayresponse.header.Vary': "'Origin'" }).get('THROTTLED')).toMatchObject({
    headers: { Vary: 'Origin' },
  });
  expect(() => responses({ 'gatewayresponse.header.X': 'method.request.header.X' })).toThrow(
    'cannot resolve method.request.header.X',
  );
});
