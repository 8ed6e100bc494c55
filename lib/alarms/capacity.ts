import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinition, AlarmDefinitions } from './alarm.ts';
import { sumOf, tableMetric } from './metrics.ts';
import type { Monitored } from './monitored.ts';

const PERIOD = Duration.minutes(5);

/** Handlers answer errors: these are crashes, timeouts and failed starts. One may be Lambda's. */
const CRASHES = 2;
/** Lambda retries nothing for the gateway: throttled calls fail. Scaling up throttles a few. */
const THROTTLES = 10;
/** In percent. The rest may last a minute: Lambda adds up to 1,000 environments in ten seconds. */
const CONCURRENCY_USED = 80;

/** The AWS SDK retries throttled calls; a table throttles briefly while splitting a partition. */
const THROTTLED = 10;
/** In days. AWS renews its own certificates 60 days before they expire, unless it cannot. */
const RENEWED_BEFORE = 30;

/**
 * Returns the alarms on crashes and throttled calls of functions, concurrency near a limit,
 * throttled tables, and the certificate of the domain.
 */
export function capacityAlarms(monitored: Monitored): AlarmDefinitions {
  const { stage, functions, tables } = monitored;
  const { customDomain, reservedConcurrency } = stage.settings;
  const alarmsOn = (lambda: Monitored['consumer']) => {
    const name = lambda.node.id;
    const { [name]: reserved } = reservedConcurrency;
    return Object.entries<AlarmDefinition>({
      [`${name}Errors`]: {
        metric: new MathExpression({
          expression: `IF(crashes > ${CRASHES}, 1, 0) + IF(throttles > ${THROTTLES}, 1, 0)`,
          usingMetrics: { crashes: lambda.metricErrors(), throttles: lambda.metricThrottles() },
          period: PERIOD,
        }),
        meaning: `${name} crashes, times out or does not start, or Lambda refuses to run it.`,
        section: 'errors',
      },
      ...(reserved && {
        [`${name}Concurrency`]: {
          metric: lambda.metric('ConcurrentExecutions', { period: PERIOD, statistic: 'Maximum' }),
          threshold: (reserved * CONCURRENCY_USED) / 100,
          evaluationPeriods: 2,
          meaning: `${name} uses more than ${CONCURRENCY_USED} % of the ${reserved} environments that are reserved for it.`,
          section: 'concurrency',
        },
      }),
    });
  };
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
  return {
    ...Object.fromEntries(functions.flatMap(alarmsOn)),
    AccountConcurrency: {
      metric: new MathExpression({
        expression: '100 * used / SERVICE_QUOTA(used)',
        usingMetrics: { used },
        period: PERIOD,
      }),
      threshold: CONCURRENCY_USED,
      evaluationPeriods: 2,
      meaning: `All functions of the account together use more than ${CONCURRENCY_USED} % of its concurrency.`,
      section: 'concurrency',
    },
    TablesThrottled: {
      metric: sumOf(
        {
          reads: tableMetric('ReadThrottleEvents', tables.configs),
          writes: tableMetric('WriteThrottleEvents', tables.promoEvents),
        },
        PERIOD,
      ),
      threshold: THROTTLED,
      evaluationPeriods: 2,
      meaning:
        'For ten minutes, DynamoDB has throttled reads of clients or writes of promo events.',
    },
    ...(customDomain && {
      CertificateExpires: {
        metric: new MathExpression({
          expression: `${RENEWED_BEFORE} - days`,
          // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
          usingMetrics: {
            days: new Metric({
              namespace: 'AWS/CertificateManager',
              metricName: 'DaysToExpiry',
              dimensionsMap: { CertificateArn: customDomain.certificateArn },
              statistic: 'Minimum',
            }),
          },
          period: Duration.days(1),
        }),
        meaning: `The certificate of the domain expires in less than ${RENEWED_BEFORE} days. Then no app can connect.`,
      },
    }),
  };
}
