import { fileURLToPath } from 'node:url';
import { CfnOutput, Duration, type StackProps } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { QueueConsumer } from './queue.ts';

export interface GrantProps extends StackProps {
  /** The address of the service that gives the benefits, with HTTPS. */
  readonly benefitsUrl: string;
  /** The name of a secret in Secrets Manager: a text, the API key of that service. */
  readonly secretName: string;
  /** The user ids of guests, who get nothing. */
  readonly guests?: readonly string[];
}

/** A benefit for each applied code: once, and no more often in total than the code counts. */
export class Grant extends QueueConsumer {
  constructor(scope: Construct, id: string, props: GrantProps) {
    const { benefitsUrl, secretName, guests = [], ...others } = props;
    super(scope, id, others);
    // Without what these remember, each event that comes again would be granted again.
    const kept = {
      deletionProtection: true,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    };
    const key = (name: string) => ({ name, type: AttributeType.STRING });
    const keys = { partitionKey: key('clientId'), sortKey: key('code') };
    const codes = new TableV2(this, 'Codes', { ...keys, ...kept });
    const grants = new TableV2(this, 'Grants', { partitionKey: key('grantId'), ...kept });
    new CfnOutput(this, 'CodesTable', { value: codes.tableName });
    new CfnOutput(this, 'GrantsTable', { value: grants.tableName });

    const logGroup = new LogGroup(this, 'Logs');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const grant = new NodejsFunction(this, 'Function', {
      entry: fileURLToPath(new URL('grant/handler.ts', import.meta.url)),
      bundling: {
        format: OutputFormat.ESM,
        mainFields: ['module', 'main'],
        externalModules: [],
        minify: true,
      },
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(20),
      environment: {
        CODES_TABLE: codes.tableName,
        GRANTS_TABLE: grants.tableName,
        GUESTS: guests.join(','),
        BENEFITS_URL: benefitsUrl,
        API_KEY_SECRET: secretName,
      },
      logGroup,
      role,
    });
    logGroup.grantWrite(role);
    codes.grant(role, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    grants.grant(role, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    const { secretArn } = Secret.fromSecretNameV2(this, 'ApiKey', secretName);
    role.addToPolicy(
      new PolicyStatement({
        actions: ['secretsmanager:GetSecretValue'],
        resources: [`${secretArn}-??????`],
      }),
    );
    grant.addEventSource(
      new SqsEventSource(this.codes, { reportBatchItemFailures: true, maxConcurrency: 5 }),
    );
  }
}
