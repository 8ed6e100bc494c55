import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { readEnvironment } from './environment.ts';
import type { TokenBucket } from './rate-limit.ts';
import { lineLimit } from './rate-limit.ts';

/** The metrics that the functions count, by CloudWatch name. */
export type CountMetric =
  /** Changes that the history skipped. */
  | 'ChangeSkipped'
  /** Manual edits of clients. */
  | 'ManualEdit'
  /** Responses with a status of 400 to 499. */
  | 'ClientErrors'
  /** Refused requests of locked-out clients; also by version of the function. */
  | 'ClientLockedOut'
  /** Customers who were refused with a good token, each once in twelve hours. */
  | 'CustomerRefused'
  /** Fields that each response omits. */
  | 'FieldsLeftOut'
  /** Changes that harmed a client. */
  | 'ClientHarmed'
  /** Records that break a guarantee about promo codes. */
  | 'GuaranteeBroken'
  /** Stale copies served, at most 15 minutes old. */
  | 'LastGoodConfigServed'
  /** Applied promo codes, without requests sent again. */
  | 'PromoEventApplied'
  /** Promo events that the event bus took. */
  | 'PromoEventPublished'
  /** Promo events that wait in the queue. */
  | 'PromoEventQueued'
  /** Later requests for a code that had been applied, without those sent again. */
  | 'PromoEventRepeated'
  /** Responses, also by code: OK or that of an error; without successes of smoke checks. */
  | 'Responses'
  /** 5xx responses and failed records; also by version of the function. */
  | 'ServerErrors'
  /** Calls with an unexpired token of the user pool; also by version of the function. */
  | 'SignedCall'
  /** Customers refused with 401 or 403, each once an hour; also by version of the function. */
  | 'SignedCallRefused';

/** The code of a success in the metric `Responses`. Errors have their own. */
export const OK = 'OK';

const counts = new Map<CountMetric, number>();
const responses = new Map<string, number>();
/** Time of the first unpublished count, in milliseconds since the epoch. */
let countedAt: number | undefined;

/** Adds to a metric. `publishMetrics` writes the sum. */
export function count(name: CountMetric, value = 1): void {
  countedAt ??= Date.now();
  counts.set(name, (counts.get(name) ?? 0) + value);
}

/** Counts a response of an operation. `code` is `OK` or the error's code. */
export function countResponse(code: string, statusCode: number): void {
  count('Responses');
  if (statusCode >= 500) count('ServerErrors');
  else if (statusCode >= 400) count('ClientErrors');
  responses.set(code, (responses.get(code) ?? 0) + 1);
}

/** The metrics by which a new release of a function is judged. */
const BY_VERSION = [
  'ServerErrors',
  'ClientLockedOut',
  'SignedCall',
  'SignedCallRefused',
] as const satisfies CountMetric[];

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
  /** The version of the function, if a gradual deployment reads metrics by version. */
  readonly version: string | undefined;
  readonly limit: TokenBucket;
}

let publisher: Publisher | undefined;

function createPublisher(): Publisher {
  const { COUNT_BY_VERSION, STAGE_NAME: stage } = readEnvironment([
    'COUNT_BY_VERSION',
    'STAGE_NAME',
  ]);
  return {
    metrics: new ServiceMetrics({ defaultDimensions: { stage } }),
    version: COUNT_BY_VERSION ? process.env.AWS_LAMBDA_FUNCTION_VERSION : undefined,
    limit: lineLimit(),
  };
}

/**
 * Writes the counts in the embedded metric format, from which CloudWatch makes metrics: usually one
 * line per invocation. A busy execution environment writes a line every few seconds instead.
 *
 * Each metric has the dimensions `service` and `stage`. `Responses` is also published by `code`,
 * and those by which a gradual deployment is judged by the function's `version`. Clients and users
 * are never dimensions: there are many, and AWS bills each distinct value as a metric.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function publishMetrics(): void {
  if (countedAt === undefined) return;
  publisher ??= createPublisher();
  const { metrics, version, limit } = publisher;
  if (!limit.take()) return;
  for (const [name, value] of counts) {
    if (name !== 'Responses') metrics.addMetric(name, MetricUnit.Count, value);
  }
  if (version && BY_VERSION.some((name) => counts.has(name)))
    metrics.addMetadata('version', version);
  // A line has one value per metric, so each code needs a line. The first has the other metrics.
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
