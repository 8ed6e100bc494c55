import { RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { CfnRestApi, EndpointType, RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import type { Stage } from '../settings/stage-file.ts';
import { accessLogOptions, addExecutionLogGroup, EXECUTION_LOG } from './access-logs.ts';
import { throttlingOptions } from './throttling.ts';

/** AWS Solutions rules broken on purpose: https://github.com/cdklabs/cdk-nag/blob/main/RULES.md */
const ACKNOWLEDGED_RULES = [
  ...['AwsSolutions-APIG4', 'AwsSolutions-COG4'].map((id) => ({
    id,
    reason:
      'The functions verify the token: a gateway authorizer can neither distinguish an expired token from a forged one nor give the reason for a refusal.',
  })),
  {
    id: 'AwsSolutions-APIG2',
    reason:
      'The functions validate the body and report every problem in it. The gateway would only respond "Invalid request body".',
  },
];

/** The rules that a stage without access logs breaks. */
const NO_ACCESS_LOGS = ['AwsSolutions-APIG1', 'AwsSolutions-APIG6'].map((id) => ({
  id,
  reason:
    'The setting accessLogs is off. The functions log every failed request, and metrics of the gateway count those that it rejects.',
}));

/** The rule that the role of the gateway's logs breaks. */
const GATEWAY_LOG_ROLE = {
  id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
  reason:
    'API Gateway has one role for the logs of all APIs of the account, and AWS maintains the policy for it.',
};

/** Creates the API of a stage, with its logs and without paths. */
export function createRestApi(stack: Stack, { name: stageName, settings }: Stage): RestApi {
  const api = new RestApi(stack, 'Api', {
    restApiName: stack.stackName,
    // An edge-optimized endpoint puts CloudFront in front, which has error pages of its own.
    endpointTypes: [EndpointType.REGIONAL],
    deployOptions: {
      stageName,
      tracingEnabled: true,
      ...throttlingOptions(settings, settings.accessLogs ? EXECUTION_LOG : {}),
      ...(settings.accessLogs && accessLogOptions(stack)),
    },
    cloudWatchRole: settings.gatewayLogRole === 'new',
    ...(settings.gatewayLogRole === 'new' && {
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    }),
    disableExecuteApiEndpoint: settings.customDomain !== undefined,
  });
  requireTls(api);
  if (settings.accessLogs) addExecutionLogGroup(api, stageName);
  api.node.tryRemoveChild('Endpoint'); // The output ApiUrl replaces it.
  Validations.of(api).acknowledge(
    ...ACKNOWLEDGED_RULES,
    ...(settings.accessLogs ? [GATEWAY_LOG_ROLE] : NO_ACCESS_LOGS),
  );
  return api;
}

/**
 * TLS 1.2 and 1.3:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 */
export const TLS = SecurityPolicy.TLS_1_2;

/** Refuses TLS 1.0 and 1.1, which API Gateway accepts by default, also behind a custom domain. */
function requireTls({ node: { defaultChild } }: RestApi): void {
  if (defaultChild instanceof CfnRestApi) defaultChild.securityPolicy = TLS;
}
