import {
  COLUMN,
  frameOf,
  type GraphMetric,
  MARGIN,
  metricsOf,
  ROW,
  type Widget,
} from '../../test/support/dashboard-body.ts';
import type { Datapoint } from '../../test/support/embedded-metrics.ts';
import { evaluate } from '../../test/support/metric-math.ts';
import { type LocalRun, PERIOD_MS, PERIODS } from './local-run.ts';

const TITLE = 26;
const LINE = 14;
/** The number of alarms per row, and its height. */
const ALARMS = { perRow: 6, height: 21 };
const COLORS = ['#1f77b4', '#d62728', '#2ca02c', '#ff7f0e', '#9467bd', '#8c564b', '#17becf'];

/** A line of a graph: a value per period; undefined where there is none. */
interface Series {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
}

/** Draws a dashboard of a local run as SVG. Metrics that only AWS has get a legend, but no line. */
export function draw(widgets: readonly Widget[], run: LocalRun): string {
  const height = Math.max(...widgets.map((widget) => (widget.y + widget.height) * ROW)) + MARGIN;
  const width = 24 * COLUMN + 2 * MARGIN;
  const parts = widgets.map((widget) => `${frameOf(widget)}${drawWidget(widget, run)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + MARGIN}" font-family="sans-serif" font-size="11"><title>The dashboard with the figures of a local run</title><rect width="100%" height="100%" fill="#f4f5f7"/>\n${parts.join('\n')}\n</svg>\n`;
}

function drawWidget(widget: Widget, run: LocalRun): string {
  const { title = '', markdown = '' } = widget.properties;
  if (widget.type === 'text') {
    return text(markdown.replace(/^#+ /, ''), 4, 26, 'font-size="18" font-weight="bold"');
  }
  const [width, height] = [widget.width * COLUMN - 6, widget.height * ROW - 6];
  const content =
    widget.type === 'alarm' ? drawAlarms(widget, width) : drawGraph(widget, width, height, run);
  return `${text(title, 8, 17, 'font-weight="bold"')}${content}`;
}

function drawAlarms({ properties: { alarms = [] } }: Widget, width: number): string {
  const { perRow, height } = ALARMS;
  const cell = (width - 16) / perRow;
  return alarms
    .map((arn, index) => {
      const name = arn.replace(/.*\//, '');
      const x = 8 + (index % perRow) * cell;
      const y = TITLE + Math.floor(index / perRow) * height;
      return `<rect x="${x}" y="${y}" width="${cell - 5}" height="${height - 3}" rx="3" fill="#eaf5ea" stroke="#2ca02c"/>${text(name, x + 5, y + 13, 'font-size="9.5"')}`;
    })
    .join('');
}

function drawGraph(widget: Widget, width: number, height: number, run: LocalRun): string {
  const series = seriesOf(widget, run);
  const isStacked = widget.properties.stacked === true;
  const legendRows = Math.ceil(series.length / 2);
  const legendHeight = legendRows * LINE;
  const plot = { x: 44, y: TITLE, width: width - 56, height: height - TITLE - 12 - legendHeight };
  const lines = isStacked ? stacked(series) : series;
  const top = niceTop(Math.max(...lines.flatMap(({ values }) => values.map((one) => one ?? 0)), 0));
  const x = (period: number) => (plot.x + (period / (PERIODS - 1)) * plot.width).toFixed(1);
  const y = (value: number) => (plot.y + plot.height * (1 - value / top)).toFixed(1);
  const axis = [0, 0.5, 1].map((part) => {
    const at = y(top * part);
    return `<line x1="${plot.x}" x2="${plot.x + plot.width}" y1="${at}" y2="${at}" stroke="#e3e5ea"/>${text(label(top * part), plot.x - 5, Number(at) + 4, 'text-anchor="end" fill="#667"')}`;
  });
  // In a stacked graph, each area reaches down to 0, and those below cover it.
  const drawn = lines.map(({ values }, index) => {
    const points = values.flatMap((value, period) =>
      value === undefined ? [] : [`${x(period)},${y(value)}`],
    );
    if (points.length === 0) return '';
    if (isStacked) {
      const [from = '', to = ''] = [points[0], points.at(-1)].map((point) => point?.split(',')[0]);
      const outline = [`${from},${y(0)}`, ...points, `${to},${y(0)}`];
      return `<polygon points="${outline.join(' ')}" fill="${color(index)}"/>`;
    }
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${color(index)}" stroke-width="1.5"/>`;
  });
  const legend = series.map((one, index) => {
    const left = 12 + (index % 2) * (width / 2 - 8);
    const baseline = height - 6 - (legendRows - 1 - Math.floor(index / 2)) * LINE;
    const hasData = one.values.some((value) => value !== undefined);
    const fill = hasData ? color(index) : '#c3c6cc';
    return `<rect x="${left}" y="${baseline - 8}" width="9" height="9" fill="${fill}"/>${text(one.label, left + 13, baseline, `font-size="9" fill="${hasData ? '#000' : '#99a'}"`)}`;
  });
  return `<g class="graph">${[...axis, ...(isStacked ? drawn.reverse() : drawn), ...legend].join('')}</g>`;
}

/** Returns the lines that a widget shows. */
function seriesOf(widget: Widget, run: LocalRun): Series[] {
  const metrics = metricsOf(widget);
  const shown = metrics
    .filter(({ options }) => options.visible !== false)
    .map((metric) => ({
      label: metric.options.label ?? metric.name,
      values: valuesOf(metric, run),
    }));
  const byId = Object.fromEntries(
    metrics.map((metric) => [metric.options.id ?? '', valuesOf(metric, run)]),
  );
  const computed = (widget.properties.metrics ?? []).flatMap(([first]) => {
    if (typeof first === 'string' || first?.expression === undefined) return [];
    return [{ label: first.label ?? '', values: evaluate(first.expression, byId) }];
  });
  return [...shown, ...computed];
}

/** Returns a metric's values, one per period. Without counts, a metric that the run knows is 0. */
function valuesOf(
  { namespace, name, dimensions, options }: GraphMetric,
  run: LocalRun,
): (number | undefined)[] {
  const found = run.datapoints.filter(
    (one) => one.namespace === namespace && one.name === name && hasDimensions(one, dimensions),
  );
  if (found.length === 0) return Array.from({ length: PERIODS }, () => undefined);
  const isGauge = ['Maximum', 'p90'].includes(options.stat ?? '');
  return Array.from({ length: PERIODS }, (_, period) => {
    const from = run.start + period * PERIOD_MS;
    const values = found
      .filter(({ time }) => time >= from && time < from + PERIOD_MS)
      .map(({ value }) => value)
      .sort((one, two) => one - two);
    if (options.stat === 'SampleCount') return values.length;
    if (!isGauge) return values.reduce((sum, value) => sum + value, 0);
    return options.stat === 'p90' ? values[Math.ceil(values.length * 0.9) - 1] : values.at(-1);
  });
}

/** Compares dimensions: ours as they are, those of AWS by logical id without the trailing hash. */
function hasDimensions(datapoint: Datapoint, dimensions: GraphMetric['dimensions']): boolean {
  const own = Object.entries(datapoint.dimensions);
  if (datapoint.namespace.startsWith('AWS/')) {
    return own.every(([name, value]) => dimensions[name]?.replace(/[0-9A-F]{8}$/, '') === value);
  }
  const isSame = own.length === Object.keys(dimensions).length;
  return isSame && own.every(([name, value]) => name === 'stage' || dimensions[name] === value);
}

function stacked(series: readonly Series[]): Series[] {
  const sums: number[] = [];
  return series.map(({ label, values }) => ({
    label,
    values: values.map((value, period) => {
      if (value === undefined) return undefined;
      sums[period] = (sums[period] ?? 0) + value;
      return sums[period];
    }),
  }));
}

function niceTop(max: number): number {
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power;
}

function label(value: number): string {
  const isSmall = value !== 0 && value < 0.01;
  return isSmall ? value.toExponential(1) : String(Number(value.toFixed(2)));
}

function color(index: number): string {
  return COLORS[index % COLORS.length] ?? '#000';
}

function text(content: string, x: number, y: number, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped}</text>`;
}
