import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { NamedLogGroup } from '../functions/named-log-group.ts';

/**
 * What the gateway logs about each request: nothing that the caller sent, so no header, query, body
 * or address, and the path as the API defines it. `requestId` is what the caller received as
 * `x-amzn-RequestId`, and what the functions log.
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

/**
 * The gateway's own log, of errors only: below that level it contains headers, and with data
 * tracing it contains bodies.
 */
const EXECUTION_LOG: MethodDeploymentOptions = {
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
};

/**
 * The options of a stage that make the gateway log each request as a line of JSON, and its own
 * errors.
 */
export function accessLogOptions(
  scope: Construct,
  removalPolicy: RemovalPolicy,
  { methodOptions = {}, ...options }: StageOptions,
): StageOptions {
  const logGroup = new NamedLogGroup(
    scope,
    'ApiLogs',
    `/aws/apigateway/${Stack.of(scope).stackName}/requests`,
    removalPolicy,
  );
  return {
    ...options,
    ...EXECUTION_LOG,
    // The options of a single method replace those of the stage.
    methodOptions: Object.fromEntries(
      Object.entries(methodOptions).map(([path, method]) => [
        path,
        { ...method, ...EXECUTION_LOG },
      ]),
    ),
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(FORMAT)),
  };
}

/**
 * Adds the log group of the gateway's own log. Otherwise API Gateway creates it, and keeps the
 * lines forever.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
export function addExecutionLogGroup(
  api: RestApi,
  {
    stageName,
    removalPolicy,
  }: { readonly stageName: string; readonly removalPolicy: RemovalPolicy },
): void {
  const logGroup = new NamedLogGroup(
    Stack.of(api),
    'GatewayLogs',
    `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
    removalPolicy,
  );
  // API Gateway creates what is missing as soon as the stage exists.
  api.deploymentStage.node.addDependency(logGroup);
}
