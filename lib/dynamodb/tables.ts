import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type GrantOnPrincipalOptions } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ROLLOUT_ATTRIBUTES } from '../../core/configuration/rollout.ts';
import { ROLLOUTS_BY_ALARM } from '../../functions/definitions.ts';
import type { Settings } from '../settings/settings.ts';

type Grantable = Pick<ITableV2, 'grant'>;

/** Only items with a rollout that an alarm stops are in it. */
const BY_ALARM: GlobalSecondaryIndexPropsV2 = {
  indexName: ROLLOUTS_BY_ALARM,
  partitionKey: { name: 'rolloutAlarm', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
};

/**
 * What an update of a client's item needs to end a rollout and no more: it names no other
 * attribute, and asks for none in the response. The key counts as an attribute.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
const OF_ROLLOUTS = {
  'ForAllValues:StringEquals': {
    'dynamodb:Attributes': ['clientId', 'lastChange', ...ROLLOUT_ATTRIBUTES],
  },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
};

/**
 * Grants actions on one resource. The CDK's own grants on a table include all of its indexes, and a
 * bus has none of single actions.
 */
export function grantable(
  arn: string,
  conditions: GrantOnPrincipalOptions['conditions'] = {},
): Grantable {
  return {
    grant: (grantee, ...actions) =>
      Grant.addToPrincipal({ grantee, actions, resourceArns: [arn], conditions }),
  };
}

/**
 * The tables: `configs`, which operators edit; its history `configVersions`; `promoEvents`; and
 * `erasures`, the markers of users who were erased lately.
 */
export class Tables extends Construct {
  readonly configs: ITableV2 | TableV2;
  /** Grants on `configs` without its index, on its rollouts alone, and on the index alone. */
  readonly ofConfigs: Grantable;
  readonly rollouts: Grantable;
  readonly rolloutsByAlarm: Grantable;
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
      ...(settings.rolloutAlarms && { globalSecondaryIndexes: [BY_ALARM] }),
    });
    const { tableArn } = this.configs;
    this.ofConfigs = grantable(tableArn);
    this.rollouts = grantable(tableArn, OF_ROLLOUTS);
    this.rolloutsByAlarm = grantable(`${tableArn}/index/${BY_ALARM.indexName}`);
    this.configVersions = table('ConfigVersions', settings.configVersionsTable, {
      sortKey: { name: 'version', type: AttributeType.NUMBER },
    });
    this.promoEvents = table('PromoEvents', settings.promoEventsTable, {
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
