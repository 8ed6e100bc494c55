import { Duration, Fn, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type IApiDestination,
  Rule,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
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
    const destination = new ApiDestination(this, 'Destination', {
      // EventBridge needs a header of its own. Chats ignore it.
      connection: new Connection(this, 'Connection', {
        authorization: Authorization.apiKey('X-Sender', SecretValue.unsafePlainText('none')),
      }),
      endpoint,
      rateLimitPerSecond: 1,
    });
    const failed = new Queue(this, 'Failed', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    new Rule(this, 'ToChat', {
      eventBus: bus,
      eventPattern: CHANGED_CONFIGURATIONS,
      targets: [
        // The CDK's types need this with `exactOptionalPropertyTypes`, and only then.
        new ApiDestinationTarget(destination as IApiDestination, {
          deadLetterQueue: failed,
          // A part of the event, which stays JSON. An input template would put texts into quotation
          // marks without escaping those in them.
          event: RuleTargetInput.fromEventPath('$.detail.chat'),
        }),
      ],
    });
  }
}
