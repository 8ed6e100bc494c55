import { fileURLToPath } from 'node:url';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  FunctionUrlAuthType,
  HttpMethod,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

export interface GuestsProps extends StackProps {
  /** The output `UserPoolId` of the deployment. */
  readonly userPoolId: string;
  /** An app client that the item of the client names in `userPoolClientIds`. */
  readonly appClientId: string;
  /** The user name of the guest. */
  readonly guest: string;
  /** The origins of pages that may read the token. Apps need none. */
  readonly origins?: string[];
}

/** An address that hands out an ID token to apps in which nobody has registered yet. */
export class Guests extends Stack {
  constructor(scope: Construct, id: string, props: GuestsProps) {
    const { userPoolId, appClientId, guest, origins, ...others } = props;
    super(scope, id, others);
    const password = new Secret(this, 'Password', {
      // Without a hyphen, which begins an option of a command.
      generateSecretString: { passwordLength: 64, excludeCharacters: '-' },
    });
    Validations.of(password).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Only an operator can change the password of the guest together with the secret.',
    });
    const logGroup = new LogGroup(this, 'Logs');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    const { userPoolArn } = UserPool.fromUserPoolId(this, 'UserPool', userPoolId);
    const allow = (action: string, resource: string) =>
      role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    allow('cognito-idp:AdminInitiateAuth', userPoolArn);
    allow('secretsmanager:GetSecretValue', password.secretArn);

    const handOut = new NodejsFunction(this, 'Function', {
      entry: fileURLToPath(new URL('handler.ts', import.meta.url)),
      bundling: {
        format: OutputFormat.ESM,
        mainFields: ['module', 'main'],
        externalModules: [],
        minify: true,
      },
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(10),
      // What stops a flood: Lambda answers 429 beyond ten requests per second for each.
      reservedConcurrentExecutions: 5,
      environment: {
        APP_CLIENT_ID: appClientId,
        GUEST: guest,
        PASSWORD_SECRET: password.secretArn,
        USER_POOL_ID: userPoolId,
      },
      loggingFormat: LoggingFormat.JSON,
      // Without the lines about each start and end, which a flood would multiply.
      systemLogLevelV2: SystemLogLevel.WARN,
      logGroup,
      role,
    });
    const { url } = handOut.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      ...(origins && { cors: { allowedOrigins: origins, allowedMethods: [HttpMethod.GET] } }),
    });
    new CfnOutput(this, 'GuestUrl', { value: url });
    new CfnOutput(this, 'PasswordSecret', { value: password.secretArn });
  }
}
