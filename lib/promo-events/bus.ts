import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { PROMO_EVENTS_PIPE } from '../../core/promo-events/published-events.ts';
import { NamedLogGroup } from '../functions/named-log-group.ts';
import { StreamDeadLetterQueue } from '../functions/stream-dead-letter-queue.ts';

export interface PromoEventsBusProps {
  readonly promoEvents: ITableV2 | TableV2;
  /** Decides whether the dead-letter queue and the log are deleted with the stack. */
  readonly removalPolicy: RemovalPolicy;
}

/**
 * Retries of a record that the bus rejects; the records behind it in its shard wait. Errors of the
 * pipe itself, such as a failed connection, do not count.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-error-troubleshooting.html
 */
const MAX_RETRY_ATTEMPTS = 10;
/** Half of the time for which a stream keeps a record. The other half remains to replay it. */
const MAX_RECORD_AGE = Duration.hours(12);

/**
 * The event bus for follow-on systems. A pipe reads the stream of the PromoEvents table and
 * publishes an event for each new item. Rejected records move to the dead-letter queue.
 */
export class PromoEventsBus extends Construct {
  readonly eventBus: EventBus;
  /** The name of the pipe, which is a dimension of its metrics. */
  readonly pipeName: string;
  /** The positions of stream records that did not reach the bus. */
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { promoEvents, removalPolicy }: PromoEventsBusProps) {
    super(scope, id);
    const { tableStreamArn } = promoEvents;
    if (!tableStreamArn) throw new Error('The PromoEvents table has no stream.');
    this.eventBus = new EventBus(this, 'EventBus');
    this.deadLetterQueue = new StreamDeadLetterQueue(this, 'DeadLetterQueue', {
      ...{ reader: 'a pipe', removalPolicy },
    });
    const logGroup = new NamedLogGroup(
      this,
      'PipeLogs',
      // The prefix that AWS recommends for logs that it delivers:
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-CWL.html
      `/aws/vendedlogs/pipes/${Stack.of(this).stackName}/PromoEvents`,
      removalPolicy,
    );
    const role = new Role(this, 'PipeRole', {
      assumedBy: new ServicePrincipal('pipes.amazonaws.com'),
    });
    promoEvents.grantStreamRead(role);
    this.eventBus.grantPutEventsTo(role);
    this.deadLetterQueue.grant(role, 'sqs:SendMessage');
    logGroup.grantWrite(role);
    const pipe = new CfnPipe(this, 'Pipe', {
      roleArn: role.roleArn,
      source: tableStreamArn,
      sourceParameters: {
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: 10,
          deadLetterConfig: { arn: this.deadLetterQueue.queueArn },
          maximumRetryAttempts: MAX_RETRY_ATTEMPTS,
          maximumRecordAgeInSeconds: MAX_RECORD_AGE.toSeconds(),
          // Otherwise a rejected record takes the rest of its batch along.
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
        },
        filterCriteria: {
          filters: PROMO_EVENTS_PIPE.filters.map((pattern) => ({ pattern })),
        },
      },
      target: this.eventBus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: {
          source: PROMO_EVENTS_PIPE.source,
          detailType: PROMO_EVENTS_PIPE.detailType,
        },
        inputTemplate: PROMO_EVENTS_PIPE.inputTemplate,
      },
      // No `includeExecutionData`: the log must not contain promo events.
      logConfiguration: {
        cloudwatchLogsLogDestination: { logGroupArn: logGroup.logGroupArn },
        level: 'ERROR',
      },
    });
    // The pipe uses the role's permissions as soon as it exists.
    pipe.node.addDependency(role);
    this.pipeName = pipe.ref;
  }
}
