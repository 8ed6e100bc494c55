import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { CountMetric } from '../../core/runtime/metrics.ts';
import { NAMESPACE } from '../../functions/background-functions.ts';
import type { Stage } from '../settings/stage-file.ts';

interface CountOptions {
  /** The code to which `Responses` are limited, such as `OK`. */
  readonly code?: string;
  /** The version of the function to which the count is limited. */
  readonly version?: string;
  /** Ignored inside an expression, which has its own. */
  readonly period?: Duration;
  readonly label?: string;
}

/** Returns the sum of a metric that a function counts. */
export function countOf(
  metricName: CountMetric,
  { name: stage }: Stage,
  { folder: service }: { readonly folder: string },
  { code, version, ...options }: CountOptions = {},
): Metric {
  return new Metric({
    namespace: NAMESPACE,
    metricName,
    dimensionsMap: { service, stage, ...(code && { code }), ...(version && { version }) },
    statistic: 'Sum',
    ...options,
  });
}

/** Names a metric of each function for use in expressions: prefix and number. */
export function byFunction<TFunction>(
  prefix: string,
  functions: readonly TFunction[],
  metricOf: (lambda: TFunction) => IMetric,
): Record<string, IMetric> {
  return Object.fromEntries(
    functions.map((lambda, index) => [`${prefix}${index}`, metricOf(lambda)]),
  );
}

/**
 * Adds up metrics, named by the keys of the record. A metric without a value counts as 0:
 * CloudWatch has none for a period without counts. Inside another expression, `period` is ignored.
 */
export function sumOf(
  usingMetrics: Readonly<Record<string, IMetric>>,
  period?: Duration,
): MathExpression {
  return new MathExpression({
    expression: filledSum(usingMetrics),
    usingMetrics: { ...usingMetrics },
    ...(period && { period }),
  });
}

/** Returns the expression that adds up metrics, named by the keys of the record. */
export function filledSum(usingMetrics: Readonly<Record<string, IMetric>>): string {
  return Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
}

/*
 * A metric has no value in a period without an event, and FILL is not documented to give one to a
 * metric that has none at all, such as that of a function that no longer runs. Arithmetic is: a
 * missing value is 0 where the other one exists. So conditions on several metrics are added and
 * subtracted, and an alarm is on above 0.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */

/** Returns the age of the stream records when a function gets them, in milliseconds. */
export function ageOfRecords(lambda: IFunction, label?: string): Metric {
  return lambda.metric('IteratorAge', {
    period: Duration.minutes(5),
    statistic: 'Maximum',
    ...(label && { label }),
  });
}

/** The operations that write items. `ExecuteStatement` reads as well. */
const WRITES = {
  puts: 'PutItem',
  updates: 'UpdateItem',
  deletes: 'DeleteItem',
  batches: 'BatchWriteItem',
  transactions: 'TransactWriteItems',
};

/**
 * Returns how often a table was written to, by operation, as the table counts it: without writes
 * whose condition failed.
 */
export function writesTo({ tableName }: Pick<ITableV2, 'tableName'>): Record<string, IMetric> {
  const metrics = Object.entries(WRITES).map(([name, Operation]) => [
    name,
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: 'SuccessfulRequestLatency',
      dimensionsMap: { TableName: tableName, Operation },
      statistic: 'SampleCount',
    }),
  ]);
  return Object.fromEntries(metrics);
}

/** Hours in UTC. CloudWatch sends an alarm when it goes on, and never again while it stays on. */
const EVERY_SIX_HOURS = [2, 8, 14, 20];

/** The periods of an alarm on `deadLettersIn`. While letters arrive, it stays on. */
export const SINCE_ARRIVAL = { evaluationPeriods: 15, datapointsToAlarm: 1 };

/**
 * Returns the number of dead letters in a queue, including those that a command is displaying, in
 * each minute in which it has grown, and for five minutes every six hours; 0 otherwise. An alarm
 * that stayed on because of old letters would hide new ones.
 */
export function deadLettersIn(queue: IQueue): MathExpression {
  const period = Duration.minutes(1);
  const letters = new MathExpression({
    expression: 'FILL(visible, 0) + FILL(inFlight, 0)',
    usingMetrics: {
      visible: queue.metricApproximateNumberOfMessagesVisible(),
      inFlight: queue.metricApproximateNumberOfMessagesNotVisible(),
    },
    period,
  });
  const isTime = EVERY_SIX_HOURS.map((hour) => `HOUR(letters) == ${hour}`).join(' OR ');
  return new MathExpression({
    expression: `IF(DIFF(letters) > 0 OR (MINUTE(letters) < 5 AND (${isTime})), letters, 0)`,
    usingMetrics: { letters },
    period,
  });
}

interface Share {
  readonly part: IMetric;
  readonly whole: IMetric;
  /** The number below which a part means nothing, and its share is 0. */
  readonly least: number;
  readonly period: Duration;
}

/** Returns a share in percent. */
export function shareOf({ part, whole, least, period }: Share): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) >= ${least}, 100 * FILL(part, 0) / whole, 0)`,
    usingMetrics: { part, whole },
    period,
  });
}
