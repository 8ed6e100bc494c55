/** A metric of a graph: namespace, name, dimensions in pairs, and options; or an expression alone. */
export type MetricRow = readonly (string | MetricOptions)[];

/** The options of a metric of a graph, as far as we read them. */
export interface MetricOptions {
  readonly id?: string;
  readonly label?: string;
  readonly expression?: string;
  readonly visible?: boolean;
  readonly stat?: string;
  /** In seconds; five minutes if it is left out. */
  readonly period?: number;
}

/** A widget of a dashboard, as far as we read it. */
export interface Widget {
  readonly type: 'alarm' | 'metric' | 'text';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly stacked?: boolean;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly MetricRow[];
  };
}

/** A metric that a graph shows or computes with. */
export interface GraphMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly options: MetricOptions;
}

/**
 * Reads the widgets of the one dashboard of a template. A reference is the name of what it refers to.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function widgetsOf(dashboards: Readonly<Record<string, Dashboard>>): readonly Widget[] {
  const [dashboard] = Object.values(dashboards);
  const { DashboardBody } = dashboard?.Properties ?? {};
  const parts = DashboardBody?.['Fn::Join'][1] ?? [];
  const text = parts.map((part) => (typeof part === 'string' ? part : nameOf(part))).join('');
  return JSON.parse(text).widgets;
}

interface Dashboard {
  readonly Properties?: {
    readonly DashboardBody?: { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
  };
}

function nameOf(reference: unknown): string {
  return String(Object.values(reference as object).flat()[0]);
}

/** The metrics of a widget, without its expressions. */
export function metricsOf({ properties: { metrics = [] } }: Widget): GraphMetric[] {
  return metrics.flatMap((row) => {
    const [namespace, name, ...rest] = row;
    if (typeof namespace !== 'string') return [];
    const options = rest.at(-1);
    const pairs = rest.filter((value) => typeof value === 'string');
    const dimensions: Record<string, string> = {};
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
    }
    return [
      {
        namespace,
        name: String(name),
        dimensions,
        options: typeof options === 'object' ? options : {},
      },
    ];
  });
}
