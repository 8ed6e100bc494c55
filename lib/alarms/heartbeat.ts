import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinitions } from './alarm.ts';
import type { Monitored } from './monitored.ts';
import { CALL_PERIOD } from './scheduled-caller.ts';

/**
 * Returns the alarm on calls of the heartbeat that fail or are missing. Missing calls are missing
 * data: an expression that made them a failure would page at the first deployment.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html
 */
export function heartbeatAlarms({ heartbeat }: Monitored): AlarmDefinitions {
  if (!heartbeat) return {};
  return {
    Heartbeat: {
      metric: new MathExpression({
        expression: 'IF(calls - errors > 0, 0, 1)',
        usingMetrics: { calls: heartbeat.metricInvocations(), errors: heartbeat.metricErrors() },
        period: CALL_PERIOD,
      }),
      evaluationPeriods: 2,
      meaning: 'For ten minutes, the API has not answered a call that is made every five minutes.',
      isReasonToPage: true,
      pagesWithoutData: true,
    },
  };
}
