import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { getConfig } from '../../functions/get-config/operation.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import type { AlarmDefinitions } from './alarm.ts';
import type { Monitored } from './monitored.ts';

/**
 * Every five minutes. More calls would raise the share of refused ones with little traffic (alarm
 * `Unauthorized`).
 */
const PERIOD = Duration.minutes(5);

/** Calls the API on a schedule, so that an outage is noticed when no app calls. */
export class Heartbeat extends Construct {
  readonly function: ServiceFunction;

  /** @param apiUrl the URL of the API as apps have it. */
  constructor(scope: Construct, id: string, apiUrl: string) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Heartbeat', {
      folder: 'heartbeat',
      environment: { HEARTBEAT_URL: `${apiUrl}${getConfig.path}` },
      memoryMegabytes: 256,
      reservedConcurrency: undefined,
    });
    new Rule(this, 'Schedule', {
      schedule: Schedule.rate(PERIOD),
      targets: [new LambdaFunction(this.function, { retryAttempts: 0 })],
    });
  }
}

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
        period: PERIOD,
      }),
      evaluationPeriods: 2,
      meaning: 'For ten minutes, the API has not answered a call that is made every five minutes.',
      isReasonToPage: true,
      pagesWithoutData: true,
    },
  };
}
