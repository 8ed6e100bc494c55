/** A metric of a graph: namespace, name, pairs of dimensions and options; or an expression. */
type MetricRow = readonly (string | MetricOptions)[];

/** The options of a metric that we read. */
interface MetricOptions {
  readonly id?: string;
  readonly label?: string;
  readonly expression?: string;
  readonly visible?: boolean;
  readonly stat?: string;
}

/** The parts of a widget that we read. */
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

/** The size of a column and of a row in the picture. */
export const COLUMN = 50;
export const ROW = 42;
export const MARGIN = 10;

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

/** Returns the metrics of a widget, without its expressions. */
export function metricsOf({ properties: { metrics = [] } }: Widget): GraphMetric[] {
  return metrics.flatMap((row) => {
    const [namespace, name, ...pairs] = row.filter((value) => typeof value === 'string');
    if (namespace === undefined) return [];
    const last = row.at(-1);
    const dimensions: Record<string, string> = {};
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
    }
    const options = typeof last === 'object' ? last : {};
    return { namespace, name: String(name), dimensions, options };
  });
}

/** Starts a widget in the picture: its place and, except for text, its frame. */
export function frameOf(widget: Widget): string {
  const at = `translate(${widget.x * COLUMN + MARGIN} ${widget.y * ROW + MARGIN})`;
  const [width, height] = [widget.width * COLUMN - 6, widget.height * ROW - 6];
  const frame = `<rect width="${width}" height="${height}" rx="4" fill="#fff" stroke="#ccd"/>`;
  return `<g transform="${at}">${widget.type === 'text' ? '' : frame}`;
}
