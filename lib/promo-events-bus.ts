import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';

export interface PromoEventsBusProps {
  /** The table whose stream it is. */
  readonly promoEvents: TableV2;
}

/** The `source` of the events on the bus. */
const SOURCE = 'customer-data-api.promo-events';

/** Raised when a consumer that reads today's `detail` could not read tomorrow's. */
const DETAIL_VERSION = '1';

/**
 * The event bus for follow-on systems: one event for each item of the PromoEvents table, handed on by a pipe from the
 * table's stream. Its detail type is the `kind` of the item, `applied` or `repeated`.
 */
export class PromoEventsBus extends Construct {
  readonly eventBus: EventBus;

  constructor(scope: Construct, id: string, { promoEvents }: PromoEventsBusProps) {
    super(scope, id);
    const { tableStreamArn } = promoEvents;
    if (!tableStreamArn) throw new Error('The PromoEvents table has no stream.');
    this.eventBus = new EventBus(this, 'EventBus');
    const role = new Role(this, 'PipeRole', {
      assumedBy: new ServicePrincipal('pipes.amazonaws.com'),
    });
    promoEvents.grantStreamRead(role);
    this.eventBus.grantPutEventsTo(role);
    const pipe = new CfnPipe(this, 'Pipe', {
      roleArn: role.roleArn,
      source: tableStreamArn,
      sourceParameters: {
        dynamoDbStreamParameters: { startingPosition: 'TRIM_HORIZON', batchSize: 10 },
        // Not the ones that were erased or have outlived their time.
        filterCriteria: { filters: [{ pattern: JSON.stringify({ eventName: ['INSERT'] }) }] },
      },
      target: this.eventBus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: {
          source: SOURCE,
          detailType: '$.dynamodb.NewImage.kind.S',
        },
        // The image as a whole: a template of single values would put text from requests between quotes of ours.
        inputTemplate: `{"version":"${DETAIL_VERSION}","item":<$.dynamodb.NewImage>}`,
      },
    });
    // It reads the stream as soon as it is there.
    pipe.node.addDependency(role);
  }
}
