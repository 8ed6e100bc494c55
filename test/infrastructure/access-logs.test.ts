import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { templateFor } from '../support/stack.ts';

const STAGE = 'AWS::ApiGateway::Stage';
const off = templateFor();
const on = templateFor({ accessLogs: true, gatewayLogRole: 'new' });

test('the gateway and each function report traces', () => {
  off.hasResourceProperties(STAGE, { TracingEnabled: true });
  off.allResourcesProperties('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } });
});

test('of an invocation, Lambda logs no line unless something is wrong', () => {
  off.allResourcesProperties('AWS::Lambda::Function', {
    LoggingConfig: Match.objectLike({ SystemLogLevel: 'WARN' }),
  });
});

describe('access logs', () => {
  test('are off by default, and need no role then', () => {
    off.hasResourceProperties(STAGE, { AccessLogSetting: Match.absent() });
    off.resourceCountIs('AWS::ApiGateway::Account', 0);
    expect(JSON.stringify(off.findResources(STAGE))).not.toContain('LoggingLevel');
  });

  test('are JSON in a log group of the stage: what was asked, how it was answered, and how long it took', () => {
    const [stage] = Object.values(on.findResources(STAGE));
    const { DestinationArn, Format } = stage?.Properties.AccessLogSetting ?? {};
    expect(JSON.stringify(DestinationArn)).toContain('ApiLogs');
    on.hasResourceProperties('AWS::Logs::LogGroup', {
      LogGroupName: '/aws/apigateway/CustomerDataApi-test/requests',
      RetentionInDays: 30,
    });
    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      awsRequestId: '$context.integration.requestId',
      traceId: '$context.xrayTraceId',
      time: '$context.requestTimeEpoch',
      method: '$context.httpMethod',
      path: '$context.resourcePath',
      status: '$context.status',
      error: '$context.error.responseType',
      webAcl: '$context.waf.status',
      functionStatus: '$context.integration.integrationStatus',
      milliseconds: '$context.responseLatency',
      functionMilliseconds: '$context.integration.latency',
      responseBytes: '$context.responseLength',
    });
  });

  test('contain nothing that the caller sent', () => {
    const [stage] = Object.values(on.findResources(STAGE));
    const { Format } = stage?.Properties.AccessLogSetting ?? {};
    const variables = Object.values<string>(JSON.parse(Format));
    for (const variable of variables) {
      expect(variable).toMatch(/^\$context\./);
      expect(variable).not.toMatch(/identity|authorizer|override|\.path$|input|protocol/);
    }
  });

  test('come with the log of errors of the gateway, which traces no data, for every path', () => {
    const [stage] = Object.values(on.findResources(STAGE));
    const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings;
    expect(
      settings.map(({ HttpMethod, ResourcePath }) => [HttpMethod, ResourcePath]),
    ).toContainEqual(['*', '/*']);
    for (const setting of settings) {
      expect(setting).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
      expect(setting).toHaveProperty('ThrottlingRateLimit');
    }
  });

  test('come with the log group of that log: it exists before the stage, and lines expire', () => {
    const [apiId = ''] = Object.keys(on.findResources('AWS::ApiGateway::RestApi'));
    const LogGroupName = {
      'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: apiId }, '/test']],
    };
    const groups = on.findResources('AWS::Logs::LogGroup', {
      Properties: { LogGroupName, RetentionInDays: 30 },
      DeletionPolicy: 'Delete',
    });
    on.hasResource(STAGE, { DependsOn: Match.arrayWith(Object.keys(groups)) });
    expect(Object.keys(groups)).toHaveLength(1);
    expect(JSON.stringify(off.findResources('AWS::Logs::LogGroup'))).not.toContain('Execution');
  });

  test('with a new role, the stack sets it for the account, and leaves both behind', () => {
    on.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
    const roles = on.findResources('AWS::IAM::Role', { DeletionPolicy: 'Retain' });
    expect(Object.keys(roles)).toEqual([expect.stringContaining('CloudWatchRole')]);
    const [accountId = ''] = Object.keys(on.findResources('AWS::ApiGateway::Account'));
    on.hasResource(STAGE, { DependsOn: Match.arrayWith([accountId]) });
  });

  test('with an existing role, the stack leaves the account alone', () => {
    const existing = templateFor({ accessLogs: true, gatewayLogRole: 'existing' });
    existing.resourceCountIs('AWS::ApiGateway::Account', 0);
    existing.hasResourceProperties(STAGE, { AccessLogSetting: Match.anyValue() });
  });
});
