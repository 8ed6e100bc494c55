import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);
/** The SDK retries a throttled call, and a table on demand throttles for moments while it splits a partition. */
const THROTTLED = 10;

/** The tables whose throttling matters: calls of apps read the one and write the other. */
export interface MonitoredTables {
  readonly configs: Pick<ITableV2, 'tableName'>;
  readonly promoEvents: Pick<ITableV2, 'tableName'>;
}

/** Adds alarms on throttled reads of clients and throttled writes of promo events. */
export function alarmOnTables(
  alarms: StageAlarms,
  { configs, promoEvents }: MonitoredTables,
): void {
  const throttles = (metricName: string, { tableName }: Pick<ITableV2, 'tableName'>) => ({
    metric: new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName },
      statistic: 'Sum',
      period: PERIOD,
    }),
    threshold: THROTTLED,
    evaluationPeriods: 2,
    section: 'throttled-tables',
  });
  alarms.add('ConfigsThrottled', {
    ...throttles('ReadThrottleEvents', configs),
    meaning: 'For ten minutes, DynamoDB has throttled reads of clients.',
  });
  alarms.add('PromoEventsThrottled', {
    ...throttles('WriteThrottleEvents', promoEvents),
    meaning: 'For ten minutes, DynamoDB has throttled writes of promo events.',
  });
}
