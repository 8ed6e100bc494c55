import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** The metrics that the functions count, by CloudWatch name. */
export type CountMetric =
  | 'FieldsLeftOut'
  | 'LastGoodConfigServed'
  | 'PromoEventQueued'
  | 'UserBindingRefused';

const metrics = new Metrics();

/**
 * Counts something in CloudWatch (embedded metric format, one log line).
 *
 * @param metadata goes into the log line beside the metric, not into its dimensions: clients are many, and each
 *   distinct dimension is billed as a metric of its own.
 */
export function count(name: CountMetric, value: number, metadata: Record<string, string>): void {
  const metric = metrics.singleMetric();
  for (const [key, text] of Object.entries(metadata)) metric.addMetadata(key, text);
  metric.addMetric(name, MetricUnit.Count, value);
}
