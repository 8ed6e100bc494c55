import { Duration, Stack } from 'aws-cdk-lib';
import type { ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { StreamDeadLetterQueue } from '../functions/stream-dead-letter-queue.ts';
import { PROMO_EVENTS_PIPE } from './published-events.ts';

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

  constructor(scope: Construct, id: string, promoEvents: ITableV2 | TableV2) {
    super(scope, id);
    const { tableStreamArn } = promoEvents;
    if (!tableStreamArn) throw new Error('The PromoEvents table has no stream.');
    this.eventBus = new EventBus(this, 'EventBus');
    this.deadLetterQueue = new StreamDeadLetterQueue(this, 'DeadLetterQueue', 'a pipe');
    const logGroup = new LogGroup(this, 'PipeLogs', {
      // The prefix that AWS recommends for logs that it delivers:
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-CWL.html
      logGroupName: `/aws/vendedlogs/pipes/${Stack.of(this).stackName}/PromoEvents`,
    });
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
