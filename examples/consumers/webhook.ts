import { Duration, Fn, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type IApiDestination,
  Rule,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { APPLIED_CODES } from './applied-codes.ts';

export interface WebhookProps extends StackProps {
  /** The address to call, with HTTPS. */
  readonly endpoint: string;
  /** The name of a secret in Secrets Manager: a text, which the receiver compares. */
  readonly secretName: string;
}

/**
 * A call of a web server for each event, with a secret in a header. EventBridge signs nothing: if
 * the receiver verifies signatures, as in Standard Webhooks, let a function sign and send.
 */
export class Webhook extends Stack {
  constructor(scope: Construct, id: string, { endpoint, secretName, ...props }: WebhookProps) {
    super(scope, id, props);
    const bus = EventBus.fromEventBusName(
      this,
      'PromoEvents',
      Fn.importValue('CustomerDataApi-prod-PromoEventsBusName'),
    );
    const connection = new Connection(this, 'Connection', {
      authorization: Authorization.apiKey(
        'X-Webhook-Secret',
        SecretValue.secretsManager(secretName),
      ),
    });
    const destination = new ApiDestination(this, 'Destination', {
      connection,
      endpoint,
      rateLimitPerSecond: 50,
    });
    // EventBridge tries again for 24 hours if the server fails or needs more than five seconds.
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    new Rule(this, 'ToWebhook', {
      eventBus: bus,
      eventPattern: APPLIED_CODES,
      targets: [
        // The CDK's types need this with `exactOptionalPropertyTypes`, and only then.
        new ApiDestinationTarget(destination as IApiDestination, { deadLetterQueue: failed }),
      ],
    });
  }
}
