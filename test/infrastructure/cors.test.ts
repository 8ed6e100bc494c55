import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { templateFor } from '../support/stack.ts';

const PATHS = OPERATIONS.flatMap(({ paths }) => paths).length;
const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** What each gateway response and each refused method sends as a header. */
function staticHeader(template: ReturnType<typeof templateFor>, name: string) {
  const responses = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse'));
  const methods = Object.values(
    template.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: 'ANY' } }),
  );
  return [
    ...responses.map(
      ({ Properties }) => Properties.ResponseParameters?.[`gatewayresponse.header.${name}`],
    ),
    ...methods.map(
      ({ Properties }) =>
        Properties.Integration.IntegrationResponses[0].ResponseParameters[
          `method.response.header.${name}`
        ],
    ),
  ];
}

function origins(template: ReturnType<typeof templateFor>): (string | undefined)[] {
  return Object.values(template.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => Properties.Environment.Variables.CORS_ORIGINS,
  );
}

test('without corsOrigins no response has CORS headers, and preflights are refused like other methods', () => {
  const template = templateFor();
  expect(JSON.stringify(template.toJSON())).not.toContain('Access-Control-');
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method'));
  expect(new Set(methods.map(({ Properties }) => Properties.HttpMethod))).toEqual(
    new Set(['POST', 'ANY']),
  );
  expect(new Set(origins(template))).toEqual(new Set(['none', undefined]));
});

describe.each([
  [['https://a.example'], 'https://a.example'],
  [['https://a.example', 'capacitor://localhost'], 'https://a.example,capacitor://localhost'],
  ['*', '*'],
])('with corsOrigins %j', (corsOrigins, told) => {
  const template = templateFor({ corsOrigins });

  test('the functions of operations know the origins, and no other function does', () => {
    const values = origins(template);
    expect(values.filter((value) => value !== undefined)).toEqual(OPERATIONS.map(() => told));
    expect(values.length).toBeGreaterThan(OPERATIONS.length);
  });

  test('every gateway response and every refused method can be read by any origin, with its request id and date', () => {
    const allowed = staticHeader(template, ALLOW_ORIGIN);
    expect(allowed.length).toBeGreaterThan(PATHS);
    expect(new Set(allowed)).toEqual(new Set(["'*'"]));
    const exposed = staticHeader(template, 'Access-Control-Expose-Headers');
    expect(new Set(exposed)).toEqual(new Set(["'x-amzn-RequestId,Date'"]));
    expect(new Set(staticHeader(template, 'Allow'))).toEqual(new Set(["'POST'", undefined]));
  });

  test('each path answers preflights', () => {
    const preflights = template.findResources('AWS::ApiGateway::Method', {
      Properties: { HttpMethod: 'OPTIONS', Integration: { Type: 'MOCK' } },
    });
    expect(Object.keys(preflights)).toHaveLength(PATHS);
  });
});
