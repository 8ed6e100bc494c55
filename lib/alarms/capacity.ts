import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { sumOf } from './metrics.ts';
import type { MonitoredFunction, StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);

/** Handlers answer errors: these are crashes, timeouts and failed starts. One may be Lambda's. */
const CRASHES = 2;
/** Lambda retries nothing for the gateway: throttled calls fail. Scaling up throttles a few. */
const THROTTLES = 10;
/** In percent. The rest may last a minute: Lambda adds up to 1,000 environments in ten seconds. */
const CONCURRENCY_USED = 80;

/** Adds alarms on each function: crashes and throttled calls, and concurrency near its limit. */
export function alarmOnFunctions(
  alarms: StageAlarms,
  functions: readonly MonitoredFunction[],
  reservedConcurrency: Readonly<Record<string, number | undefined>>,
): void {
  for (const { name, function: lambda } of functions) {
    alarms.add(`${name}Errors`, {
      metric: new MathExpression({
        expression: `IF(FILL(crashes, 0) > ${CRASHES} OR FILL(throttles, 0) > ${THROTTLES}, 1, 0)`,
        usingMetrics: { crashes: lambda.metricErrors(), throttles: lambda.metricThrottles() },
        period: PERIOD,
      }),
      threshold: 0,
      evaluationPeriods: 1,
      meaning: `${name} crashes, times out or does not start, or Lambda refuses to run it.`,
      section: 'errors',
    });
    const reserved = reservedConcurrency[name];
    if (reserved === undefined) continue;
    alarms.add(`${name}Concurrency`, {
      metric: lambda.metric('ConcurrentExecutions', { period: PERIOD, statistic: 'Maximum' }),
      threshold: (reserved * CONCURRENCY_USED) / 100,
      evaluationPeriods: 2,
      meaning: `${name} uses more than ${CONCURRENCY_USED} % of the ${reserved} environments that are reserved for it.`,
      section: 'concurrency',
    });
  }
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html
  const used = new Metric({
    namespace: 'AWS/Usage',
    metricName: 'ResourceCount',
    dimensionsMap: {
      Service: 'Lambda',
      Type: 'Resource',
      Resource: 'ConcurrentExecutions',
      Class: 'None',
    },
    statistic: 'Maximum',
  });
  alarms.add('AccountConcurrency', {
    metric: new MathExpression({
      expression: '100 * used / SERVICE_QUOTA(used)',
      usingMetrics: { used },
      period: PERIOD,
    }),
    threshold: CONCURRENCY_USED,
    evaluationPeriods: 2,
    meaning: `All functions of the account together use more than ${CONCURRENCY_USED} % of its concurrency.`,
    section: 'concurrency',
  });
}

/** The AWS SDK retries throttled calls; a table throttles briefly while splitting a partition. */
const THROTTLED = 10;

/** The tables that calls of apps read and write. */
export interface MonitoredTables {
  readonly configs: Pick<ITableV2, 'tableName'>;
  readonly promoEvents: Pick<ITableV2, 'tableName'>;
}

/** Adds an alarm on throttled reads of clients and throttled writes of promo events. */
export function alarmOnTables(
  alarms: StageAlarms,
  { configs, promoEvents }: MonitoredTables,
): void {
  const throttles = (metricName: string, { tableName }: Pick<ITableV2, 'tableName'>) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName },
      statistic: 'Sum',
    });
  alarms.add('TablesThrottled', {
    metric: sumOf(
      {
        reads: throttles('ReadThrottleEvents', configs),
        writes: throttles('WriteThrottleEvents', promoEvents),
      },
      PERIOD,
    ),
    threshold: THROTTLED,
    evaluationPeriods: 2,
    meaning: 'For ten minutes, DynamoDB has throttled reads of clients or writes of promo events.',
  });
}

/** In days. AWS renews its own certificates 60 days before they expire, unless it cannot. */
const RENEWED_BEFORE = 30;

/** Adds an alarm on the expiry of the domain's certificate, after which no app can connect. */
export function alarmOnCertificate(alarms: StageAlarms, certificateArn: string): void {
  // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
  const days = new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: 'Minimum',
  });
  alarms.add('CertificateExpires', {
    metric: new MathExpression({
      expression: `${RENEWED_BEFORE} - days`,
      usingMetrics: { days },
      period: Duration.days(1),
    }),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: `The certificate of the domain expires in less than ${RENEWED_BEFORE} days. Then no app can connect.`,
  });
}
