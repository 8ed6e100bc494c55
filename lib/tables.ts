import type { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/** How the data is protected against deletion. */
export interface TablesProps {
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
}

/** The two tables. Operators edit `configs`; `promoEvents` is the log of promo code applications. */
export class Tables extends Construct {
  readonly configs: TableV2;
  readonly promoEvents: TableV2;

  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: TablesProps) {
    super(scope, id);
    const common = {
      partitionKey: { name: 'clientId', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
      deletionProtection,
    };
    this.configs = new TableV2(this, 'Configs', common);
    this.promoEvents = new TableV2(this, 'PromoEvents', {
      ...common,
      sortKey: { name: 'eventId', type: AttributeType.STRING },
      dynamoStream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expiresAt',
    });
  }
}
