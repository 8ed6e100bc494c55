import { fileURLToPath } from 'node:url';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface AnswersProps extends StackProps {
  /** The outputs `ApiUrl`, `UserPoolId`, `UserPoolClientId`, and `UserIdClaim` or else `sub`. */
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly userIdClaim: string;
  /** An App-Id that was issued to this API. */
  readonly appId: string;
  /** The user ids of guests, who are refused: all who have not signed up share one. */
  readonly guests?: readonly string[];
  /** The origins of pages that may call it. Apps need none. */
  readonly origins?: string[];
}

/** An API that stores the answers of customers, and returns them. */
export class Answers extends Stack {
  constructor(scope: Construct, id: string, props: AnswersProps) {
    super(scope, id, props);
    const table = (name: string, partition: string, sort: string) =>
      new TableV2(this, name, {
        partitionKey: { name: partition, type: AttributeType.STRING },
        sortKey: { name: sort, type: AttributeType.STRING },
        deletionProtection: true,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      });
    const answers = table('Answers', 'userId', 'clientId');
    const configurations = table('Configurations', 'clientId', 'configVersion');
    const logGroup = new LogGroup(this, 'Logs');
    const assumedBy = new ServicePrincipal('lambda.amazonaws.com');
    const role = new Role(this, 'Role', { assumedBy });
    logGroup.grantWrite(role);
    answers.grant(role, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    configurations.grant(role, 'dynamodb:GetItem', 'dynamodb:PutItem');
    const format = { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true };
    const store = new NodejsFunction(this, 'Function', {
      entry: fileURLToPath(new URL('handler.ts', import.meta.url)),
      bundling: { ...format, externalModules: [] },
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: Duration.seconds(20),
      environment: {
        ANSWERS_TABLE: answers.tableName,
        API_URL: props.apiUrl,
        APP_CLIENTS: props.userPoolClientId,
        APP_ID: props.appId,
        CONFIGURATIONS_TABLE: configurations.tableName,
        GUESTS: props.guests?.join() ?? '',
        USER_ID_CLAIM: props.userIdClaim,
        USER_POOL_ID: props.userPoolId,
      },
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
    });
    const allowHeaders = ['Authorization', 'Content-Type', 'Device-Id', 'Installation-Id'];
    const allowMethods = [apigateway.CorsHttpMethod.GET, apigateway.CorsHttpMethod.POST];
    const { origins: allowOrigins } = props;
    const httpApi = new apigateway.HttpApi(this, 'Api', {
      createDefaultStage: false,
      // The function answers on each path, in the envelope.
      defaultIntegration: new HttpLambdaIntegration('Store', store),
      ...(allowOrigins && { corsPreflight: { allowOrigins, allowMethods, allowHeaders } }),
    });
    const reason = 'The function verifies the token: an authorizer answers without the envelope.';
    Validations.of(httpApi).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    const stage = new apigateway.HttpStage(this, 'Stage', {
      httpApi,
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
      accessLogSettings: { destination: new apigateway.LogGroupLogDestination(logGroup) },
    });
    new CfnOutput(this, 'AnswersUrl', { value: `${stage.url}answers` });
    new CfnOutput(this, 'AnswersTable', { value: answers.tableName });
  }
}
