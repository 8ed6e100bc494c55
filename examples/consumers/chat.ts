import { fileURLToPath } from 'node:url';
import { Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { CHANGED_CONFIGURATIONS } from './changed-configurations.ts';

export interface ChatProps extends StackProps {
  /** The address of the chat's incoming webhook, which takes `{ "text": "…" }`. */
  readonly endpoint: string;
}

/** A message in a chat for each change of a configuration. */
export class Chat extends Stack {
  constructor(scope: Construct, id: string, { endpoint, ...props }: ChatProps) {
    super(scope, id, props);
    const bus = EventBus.fromEventBusName(
      this,
      'PromoEvents',
      Fn.importValue('CustomerDataApi-prod-PromoEventsBusName'),
    );
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const logGroup = new LogGroup(this, 'Logs');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    // An input template of EventBridge does not escape the texts that it quotes.
    const post = new NodejsFunction(this, 'Function', {
      entry: fileURLToPath(new URL('chat/handler.ts', import.meta.url)),
      bundling: { format: OutputFormat.ESM, minify: true },
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(20),
      environment: { ENDPOINT: endpoint },
      deadLetterQueue: failed,
      logGroup,
      role,
    });
    new Rule(this, 'ToChat', {
      eventBus: bus,
      eventPattern: CHANGED_CONFIGURATIONS,
      targets: [new LambdaFunction(post, { deadLetterQueue: failed })],
    });
  }
}
