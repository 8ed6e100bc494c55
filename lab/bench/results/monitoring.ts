import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../../../lib/customer-data-api-stack.ts';
import { PRICES } from './prices.ts';

/** The parts of a stage that CloudWatch bills by the month. */
export interface Monitoring {
  /** The metrics of all alarms: AWS bills an alarm for each metric that it reads. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  /** The metrics that the functions publish, as far as an alarm or a graph reads them. */
  readonly customMetrics: number;
}

/** A metric as a template has it: in an alarm, or in an expression of one. */
interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface AlarmProperties extends Metric {
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: Metric } }[];
}

/** A reference in a text, such as the name of a function. */
type Joined = { readonly 'Fn::Join': readonly [string, readonly unknown[]] };

const { context: FLAGS } = JSON.parse(
  readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8'),
);

/** Counts what CloudWatch bills for the stages of this project. */
export function monitoringOfStages(): { readonly prod: Monitoring; readonly dev: Monitoring } {
  const prod = monitoringIn(templateOf('prod'));
  // Its functions publish the same metrics, though it has fewer alarms that read them.
  const dev = { ...monitoringIn(templateOf('dev')), customMetrics: prod.customMetrics };
  return { prod, dev };
}

/** The template of a stage, without bundles. */
function templateOf(stage: string): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'customer-data-api-monitoring-'));
  const context = { ...FLAGS, stage, 'aws:cdk:bundling-stacks': [] };
  const app = new App({ outdir, context, builtinCloudFormationValidation: false });
  const template = Template.fromStack(addCustomerDataApiStack(app));
  rmSync(outdir, { recursive: true });
  return template;
}

function monitoringIn(template: Template): Monitoring {
  const propertiesOf = (type: string) =>
    Object.values(template.findResources(`AWS::CloudWatch::${type}`)).map(
      ({ Properties }) => Properties,
    );
  const measured = propertiesOf('Alarm').map(metricsOfAlarm);
  const dashboards = propertiesOf('Dashboard');
  const custom = [
    ...measured
      .flat()
      .map(({ Namespace, MetricName, Dimensions = [] }) => [
        Namespace,
        MetricName,
        ...Dimensions.map(({ Name, Value }) => [Name, Value]).sort(),
      ]),
    ...dashboards.flatMap(({ DashboardBody }) => metricsOfGraphs(DashboardBody)),
  ].filter(([namespace]) => namespace === 'CustomerDataApi');
  return {
    alarmMetrics: measured.flat().length,
    dashboards: dashboards.length,
    customMetrics: new Set(custom.map((metric) => JSON.stringify(metric))).size,
  };
}

function metricsOfAlarm(alarm: AlarmProperties): Metric[] {
  return alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) ?? [alarm];
}

/** The rows of graphs with a metric: namespace, name, dimensions by turns, and options. */
function metricsOfGraphs({ 'Fn::Join': [, parts] }: Joined): unknown[][] {
  const text = parts.map((part) => (typeof part === 'string' ? part : 'reference')).join('');
  const { widgets }: { widgets: { properties: { metrics?: unknown[][] } }[] } = JSON.parse(text);
  const rows = widgets.flatMap(({ properties: { metrics = [] } }) => metrics);
  return rows.map(([namespace, name, ...others]) => {
    const words = others.filter((word) => typeof word === 'string');
    const pairs = words.flatMap((word, index) => (index % 2 ? [[words[index - 1], word]] : []));
    return [namespace, name, ...pairs.sort()];
  });
}

/** Computes US dollars a month, by the rows of the table in docs/performance.md. */
export function monitoringDollars(monitoring: Monitoring): Readonly<Record<string, number>> {
  const functions = monitoring.customMetrics * PRICES.customMetric;
  const others = {
    'alarms on metrics': monitoring.alarmMetrics * PRICES.alarmMetric,
    dashboard: monitoring.dashboards * PRICES.dashboard,
  };
  const withoutCalls = Object.values(others).reduce((total, value) => total + value, 0);
  return {
    ...others,
    'metrics of the functions, with calls in each hour': functions,
    '**total**': withoutCalls + functions,
    '**of a stage without calls**': withoutCalls,
  };
}
