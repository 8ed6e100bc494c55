/** A value of a metric, as CloudWatch stores it. */
export interface Datapoint {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

interface EmbeddedMetrics {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}

/**
 * Reads the metrics of a log line as CloudWatch does. A line that is not in the embedded metric
 * format has none.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * @throws Error if the line is not valid: CloudWatch would silently ignore it.
 */
export function datapointsOf(line: Readonly<Record<string, unknown>>): Datapoint[] {
  if (!('_aws' in line)) return [];
  const { Timestamp, CloudWatchMetrics } = (line as unknown as EmbeddedMetrics)._aws;
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, textOf(line, name)]));
      return Metrics.map(({ Name, Unit }) => {
        const value = line[Name];
        if (typeof value !== 'number' || Unit !== 'Count')
          throw new Error(`${Name} is not a count.`);
        return { namespace: Namespace, name: Name, dimensions, value, time: Timestamp };
      });
    }),
  );
}

function textOf(line: Readonly<Record<string, unknown>>, name: string): string {
  const value = line[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`The dimension ${name} has no value.`);
}

/** The sum of a metric over the datapoints that have all of the given dimensions and no others. */
export function sumOf(
  datapoints: readonly Datapoint[],
  name: string,
  dimensions: Readonly<Record<string, string>>,
): number {
  const key = keyOf(dimensions);
  return datapoints
    .filter((datapoint) => datapoint.name === name && keyOf(datapoint.dimensions) === key)
    .reduce((sum, { value }) => sum + value, 0);
}

function keyOf(dimensions: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(dimensions).sort());
}
