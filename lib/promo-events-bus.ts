import type { ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';

export interface PromoEventsBusProps {
  /** The table whose stream feeds the bus. */
  readonly promoEvents: ITableV2 | TableV2;
}

/** The `source` of the events on the bus. */
const SOURCE = 'customer-data-api.promo-events';

/** Version of the schema of `detail`. An incompatible change raises it. */
const DETAIL_VERSION = '1';

/**
 * The event bus for follow-on systems. A pipe reads the stream of the PromoEvents table and publishes an event for each
 * new item. The detail type is the item's `kind`: `applied` or `repeated`.
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
        // New items only: erased and expired items are also in the stream.
        filterCriteria: { filters: [{ pattern: JSON.stringify({ eventName: ['INSERT'] }) }] },
      },
      target: this.eventBus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: {
          source: SOURCE,
          detailType: '$.dynamodb.NewImage.kind.S',
        },
        // The whole image is inserted as JSON. In a template of single values, a string could break out of its quotes.
        inputTemplate: `{"version":"${DETAIL_VERSION}","item":<$.dynamodb.NewImage>}`,
      },
    });
    // The pipe uses the role's permissions as soon as it exists.
    pipe.node.addDependency(role);
  }
}
