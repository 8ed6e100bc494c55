import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { readEnvironment } from './environment.ts';
import { lineLimit } from './log-rate-limit.ts';
import type { TokenBucket } from './token-bucket.ts';

/**
 * The metrics that the functions count, by their CloudWatch name. The runbook says what each means.
 */
export type CountMetric =
  | 'ChangeSkipped'
  | 'ChangedOutside'
  | 'ClientErrors'
  | 'ClientLockedOut'
  | 'FieldsLeftOut'
  | 'ManualEditHarmedClient'
  | 'LastGoodConfigServed'
  | 'PromoEventApplied'
  | 'PromoEventQueued'
  | 'PromoEventRepeated'
  | 'Responses'
  | 'ServerErrors'
  | 'UserBindingRefused';

/**
 * The code of a success in the metric `Responses`. Other responses have the code of their error.
 */
export const OK = 'OK';

const counts = new Map<CountMetric, number>();
const responses = new Map<string, number>();
/** When the first count was made that is not published yet. */
let countedAt: number | undefined;

/** Adds to a metric. `publishMetrics` writes the sum. */
export function count(name: CountMetric, value = 1): void {
  countedAt ??= Date.now();
  counts.set(name, (counts.get(name) ?? 0) + value);
}

/**
 * Counts a response of an operation.
 *
 * @param code `OK`, or the code of the error.
 */
export function countResponse(code: string, statusCode: number): void {
  count('Responses');
  if (statusCode >= 500) count('ServerErrors');
  else if (statusCode >= 400) count('ClientErrors');
  responses.set(code, (responses.get(code) ?? 0) + 1);
}

/** What a new version of a function is judged by. */
const BY_VERSION = ['ServerErrors', 'ClientLockedOut'] as const satisfies CountMetric[];

/** Powertools gives all metrics of a line the same dimensions. Some of ours have one more. */
class ServiceMetrics extends Metrics {
  override serializeMetrics() {
    const { _aws, ...values } = super.serializeMetrics();
    const directives = [
      ..._aws.CloudWatchMetrics,
      ...('code' in values ? [directive('Responses', 'code')] : []),
      ...('version' in values ? BY_VERSION.filter((name) => name in values) : []).map((name) =>
        directive(name, 'version'),
      ),
    ];
    return { _aws: { ..._aws, CloudWatchMetrics: directives }, ...values };
  }
}

function directive(name: CountMetric, dimension: string) {
  return {
    Namespace: process.env.POWERTOOLS_METRICS_NAMESPACE ?? '',
    Dimensions: [['service', 'stage', dimension]] as [string[]],
    Metrics: [{ Name: name, Unit: MetricUnit.Count }],
  };
}

interface Publisher {
  readonly metrics: Metrics;
  readonly limit: TokenBucket;
}

let publisher: Publisher | undefined;

function createPublisher(): Publisher {
  const { STAGE_NAME: stage } = readEnvironment(['STAGE_NAME']);
  return { metrics: new ServiceMetrics({ defaultDimensions: { stage } }), limit: lineLimit() };
}

/**
 * Writes what was counted as lines in the embedded metric format, from which CloudWatch makes
 * metrics: usually one line per invocation. An execution environment that serves many requests
 * writes a line every few seconds for all of them.
 *
 * Each metric has the dimensions `service` and `stage`. `Responses` is also published by `code`,
 * and `ServerErrors` and `ClientLockedOut` by `version` of the function, so that a deployment can
 * be judged by its new version alone. Clients and users are never dimensions: there are many of
 * them, and each distinct value is billed as a separate metric.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function publishMetrics(): void {
  if (countedAt === undefined) return;
  publisher ??= createPublisher();
  const { metrics, limit } = publisher;
  if (!limit.take()) return;
  const { AWS_LAMBDA_FUNCTION_VERSION: version } = process.env;
  for (const [name, value] of counts) {
    if (name !== 'Responses') metrics.addMetric(name, MetricUnit.Count, value);
  }
  if (version && BY_VERSION.some((name) => counts.has(name)))
    metrics.addMetadata('version', version);
  // A line has one value of each metric, so each code has a line of its own. The other metrics are
  // in the first one.
  for (const [code, value] of responses) {
    metrics.addMetric('Responses', MetricUnit.Count, value);
    metrics.addMetadata('code', code);
    metrics.setTimestamp(countedAt);
    metrics.publishStoredMetrics();
  }
  if (metrics.hasStoredMetrics()) {
    metrics.setTimestamp(countedAt);
    metrics.publishStoredMetrics();
  }
  counts.clear();
  responses.clear();
  countedAt = undefined;
}
