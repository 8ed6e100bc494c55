import type { AlarmDefinition } from './template.ts';

/** A value of a metric. */
interface Datapoint {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A log line with metrics, in CloudWatch's embedded metric format. */
interface MetricLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [name: string]: unknown;
}

/**
 * Evaluates alarms on the metrics that functions log, as CloudWatch does.
 *
 * @returns a function that takes a log line, and returns a line for each alarm that goes on.
 */
export function alarmsOn(definitions: readonly AlarmDefinition[]): (line: string) => string[] {
  const alarms = definitions.map((definition) => ({
    definition,
    /** Sums, by the number of their period. */
    sums: new Map<number, number>(),
    isOn: false,
  }));
  return (line) => {
    if (!line.startsWith('{"_aws"')) return [];
    const datapoints = datapointsOf(JSON.parse(line));
    return alarms.flatMap((alarm) => {
      const { alarmName, description, ...metric } = alarm.definition;
      const { periodSeconds, threshold, evaluationPeriods, datapointsToAlarm } = metric;
      const period = Math.floor(Date.now() / 1000 / periodSeconds);
      for (const { value, ...datapoint } of datapoints) {
        if (metricKey(datapoint) !== metricKey(metric)) continue;
        alarm.sums.set(period, (alarm.sums.get(period) ?? 0) + value);
      }
      for (const number of alarm.sums.keys()) {
        if (number <= period - evaluationPeriods) alarm.sums.delete(number);
      }
      const above = [...alarm.sums.values()].filter((sum) => sum > threshold);
      const wasOn = alarm.isOn;
      alarm.isOn = above.length >= datapointsToAlarm;
      return alarm.isOn && !wasOn ? [`ALARM ${alarmName}: ${description}`] : [];
    });
  };
}

function metricKey({ namespace, metricName, dimensions }: Omit<Datapoint, 'value'>): string {
  return JSON.stringify([namespace, metricName, Object.entries(dimensions).sort()]);
}

function datapointsOf(line: MetricLine): Datapoint[] {
  return line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name }) => ({
        namespace: Namespace,
        metricName: Name,
        dimensions: Object.fromEntries(names.map((name) => [name, String(line[name])])),
        value: Number(line[Name]),
      })),
    ),
  );
}
