import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** The metrics that the functions count, by their CloudWatch name. */
export type CountMetric =
  | 'FieldsLeftOut'
  | 'LastGoodConfigServed'
  | 'PromoEventQueued'
  | 'UserBindingRefused';

const metrics = new Metrics();

/**
 * Adds to a metric in CloudWatch (embedded metric format, one log line).
 *
 * @param metadata is written to the log line beside the metric, not to its dimensions. There are many clients, and each
 *   distinct dimension value is billed as a separate metric.
 */
export function count(name: CountMetric, value: number, metadata: Record<string, string>): void {
  const metric = metrics.singleMetric();
  for (const [key, text] of Object.entries(metadata)) metric.addMetadata(key, text);
  metric.addMetric(name, MetricUnit.Count, value);
}
