import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinitions } from './alarm.ts';
import { byFunction, filledSum } from './metrics.ts';
import type { Monitored } from './monitored.ts';

const PERIOD = Duration.minutes(5);

/** Handlers answer errors: these are crashes, timeouts and failed starts. One may be Lambda's. */
const CRASHES = 2;
/** Scaling up throttles a few. */
const THROTTLES = 10;
/** A time in days. AWS renews its own certificates 60 days before they expire, unless it cannot. */
const RENEWED_BEFORE = 30;

/**
 * Returns the alarms on functions that do not run, and on the certificate of the domain. Functions
 * that answer apps are not among them: their crashes and throttled calls are failed calls.
 */
export function capacityAlarms({ stage, operations, functions }: Monitored): AlarmDefinitions {
  const { customDomain } = stage.settings;
  const background = functions.filter((lambda) => !operations.includes(lambda));
  const crashes = byFunction('crashes', background, (lambda) => lambda.metricErrors());
  const throttles = byFunction('throttles', background, (lambda) => lambda.metricThrottles());
  return {
    BackgroundErrors: {
      metric: new MathExpression({
        expression: `IF(${filledSum(crashes)} > ${CRASHES}, 1, 0) + IF(${filledSum(throttles)} > ${THROTTLES}, 1, 0)`,
        usingMetrics: { ...crashes, ...throttles },
        period: PERIOD,
      }),
      meaning:
        'A function that serves no app crashes, times out or does not start, or Lambda refuses to run it. The saved query crashes says which. Nothing is lost yet.',
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
