import { RemovalPolicies, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * The gateway's log line for a request. It contains nothing that the caller sent (no header, query,
 * body or address); `path` is that of the API's definition. The caller's `x-amzn-RequestId` and the
 * functions' logs have the `requestId` too.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const FORMAT = {
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
};

/** The gateway's own log, errors only: other levels log headers, and data tracing logs bodies. */
export const EXECUTION_LOG: MethodDeploymentOptions = {
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
};

/** Returns stage options with which the gateway logs each request as JSON. */
export function accessLogOptions(scope: Construct): StageOptions {
  const logGroup = new LogGroup(scope, 'ApiLogs', {
    logGroupName: `/aws/apigateway/${Stack.of(scope).stackName}/requests`,
  });
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(FORMAT)),
  };
}

/**
 * Adds the log group of the gateway's own log. API Gateway would create one without expiry. It is
 * deleted when access logs are switched off: CloudFormation imports no resource whose name has a
 * reference, so one that stays could never be switched on again.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export function addExecutionLogGroup(api: RestApi, stageName: string): void {
  const logGroup = new LogGroup(Stack.of(api), 'GatewayLogs', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
  });
  RemovalPolicies.of(logGroup).destroy();
  // API Gateway creates a missing log group as soon as the stage exists.
  api.deploymentStage.node.addDependency(logGroup);
}
