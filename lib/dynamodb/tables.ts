import {
  AttributeType,
  Billing,
  type ITableV2,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

/**
 * The tables: `configs`, which operators edit; its history `configVersions`; `promoEvents`; and
 * `erasures`, the users who were erased lately.
 */
export class Tables extends Construct {
  readonly configs: ITableV2 | TableV2;
  readonly configVersions: ITableV2 | TableV2;
  readonly promoEvents: ITableV2 | TableV2;
  readonly erasures: TableV2;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const common = {
      partitionKey: { name: 'clientId', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: settings.retainData,
    };
    const { configsTable, configVersionsTable, promoEventsTable } = settings;
    this.configs = configsTable
      ? TableV2.fromTableAttributes(this, 'Configs', {
          tableName: configsTable.name,
          tableStreamArn: configsTable.streamArn,
        })
      : new TableV2(this, 'Configs', {
          ...common,
          dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
        });
    this.configVersions = configVersionsTable
      ? TableV2.fromTableName(this, 'ConfigVersions', configVersionsTable.name)
      : new TableV2(this, 'ConfigVersions', {
          ...common,
          sortKey: { name: 'version', type: AttributeType.NUMBER },
        });
    this.promoEvents = promoEventsTable
      ? TableV2.fromTableAttributes(this, 'PromoEvents', {
          tableName: promoEventsTable.name,
          tableStreamArn: promoEventsTable.streamArn,
        })
      : new TableV2(this, 'PromoEvents', {
          ...common,
          sortKey: { name: 'eventId', type: AttributeType.STRING },
          dynamoStream: StreamViewType.NEW_IMAGE,
          timeToLiveAttribute: 'expiresAt',
        });
    this.erasures = new TableV2(this, 'Erasures', {
      ...common,
      sortKey: { name: 'user', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
  }
}
