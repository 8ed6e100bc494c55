/** A metric of a graph: namespace, name, pairs of dimensions and options. */
type MetricRow = readonly unknown[];

/** The parts of a widget that we read. */
export interface Widget {
  readonly type: 'alarm' | 'metric' | 'text';
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly metrics?: readonly MetricRow[];
  };
}

/** A metric that a graph shows. */
interface GraphMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/**
 * Reads the widgets of a template's only dashboard. References become names.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function widgetsOf(
  dashboards: Readonly<
    Record<string, { Properties?: { DashboardBody?: { 'Fn::Join': [string, unknown[]] } } }>
  >,
): readonly Widget[] {
  const [dashboard] = Object.values(dashboards);
  const [, parts = []] = dashboard?.Properties?.DashboardBody?.['Fn::Join'] ?? [];
  const nameOf = (reference: object) => String(Object.values(reference).flat()[0]);
  const text = parts.map((part) => (typeof part === 'string' ? part : nameOf(Object(part))));
  return JSON.parse(text.join('')).widgets;
}

/** Returns the metrics of a widget. */
export function metricsOf({ properties: { metrics = [] } }: Widget): GraphMetric[] {
  return metrics.map((row) => {
    const [namespace = '', name = '', ...pairs] = row.filter((value) => typeof value === 'string');
    const dimensions: Record<string, string> = {};
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
    }
    return { namespace, name, dimensions };
  });
}
