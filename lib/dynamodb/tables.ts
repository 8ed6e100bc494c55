import {
  AttributeType,
  Billing,
  type ITableV2,
  StreamViewType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

/**
 * The tables: `configs`, which operators edit; its history `configVersions`; `promoEvents`; and
 * `erasures`, the markers of users who were erased lately.
 */
export class Tables extends Construct {
  readonly configs: ITableV2 | TableV2;
  readonly configVersions: ITableV2 | TableV2;
  readonly promoEvents: ITableV2 | TableV2;
  readonly erasures: ITableV2 | TableV2;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const common = {
      partitionKey: { name: 'clientId', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: settings.retainData,
    };
    const table = (
      tableId: string,
      existing: { name: string; streamArn?: string } | undefined,
      props: Partial<TablePropsV2>,
    ) =>
      existing
        ? TableV2.fromTableAttributes(this, tableId, {
            tableName: existing.name,
            ...(existing.streamArn && { tableStreamArn: existing.streamArn }),
          })
        : new TableV2(this, tableId, { ...common, ...props });
    this.configs = table('Configs', settings.configsTable, {
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    this.configVersions = table('ConfigVersions', settings.configVersionsTable, {
      sortKey: { name: 'version', type: AttributeType.NUMBER },
    });
    this.promoEvents = table('PromoEvents', settings.promoEventsTable, {
      sortKey: { name: 'eventId', type: AttributeType.STRING },
      dynamoStream: StreamViewType.NEW_IMAGE,
      timeToLiveAttribute: 'expiresAt',
    });
    this.erasures = table('Erasures', settings.erasuresTable, {
      sortKey: { name: 'user', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
  }
}
