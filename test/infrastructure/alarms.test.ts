import { expect, test } from 'vitest';
import { type AlarmName, shortName } from '../support/alarm-name.ts';
import { readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';
import { faultOf } from '../support/used-metrics.ts';
import { metricsOf, widgetsOf } from '../support/widgets.ts';
import { EVERY_ALARM } from './variants.ts';

/*
 * What is true of every alarm. The golden template has what each of them watches, and alarm-
 * states.test.ts when it is on.
 */

const template = templateFor(EVERY_ALARM);

/** An alarm as far as it is read here. */
interface Alarm {
  readonly AlarmName: AlarmName;
  readonly AlarmDescription: string;
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: Metric } }[];
}

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

const propertiesOf = (type: string): Alarm[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);
/** Rolls a deployment back, and informs nobody. */
const isOfDeployment = ({ AlarmName }: Alarm) =>
  /(?:Failed|Refused)Calls$/.test(shortName(AlarmName));
const ofMetrics = propertiesOf('AWS::CloudWatch::Alarm');
const alarms = ofMetrics.filter((alarm) => !isOfDeployment(alarm));

/** Returns the metrics of an alarm: those of its expression, or its own. */
const measuredBy = (alarm: Alarm): { readonly Metric: Metric }[] =>
  alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [
    { Metric: alarm as unknown as Metric },
  ];

const { headings, text } = await readDocument('docs/runbook.md');
/**
 * The sections of the runbook that are about alarms: the names in the heading, and the anchor. A
 * name that starts with `…` stands for the alarms of several functions.
 */
const sections = headings.map(({ text, anchor }) => ({ names: text.split(', '), anchor }));

/** The anchor of the section that names an alarm, or else of the one that names its kind. */
function anchorOf(name: string): string | undefined {
  const isNamed = sections.find(({ names }) => names.includes(name));
  const isOfKind = ({ names }: (typeof sections)[number]) =>
    names.some((kind) => kind.startsWith('…') && name.endsWith(kind.slice(1)));
  return (isNamed ?? sections.find(isOfKind))?.anchor;
}

test('each leads to the section of the runbook that bears its name', () => {
  expect(alarms.length).toBeGreaterThan(20);
  for (const { AlarmName, AlarmDescription } of ofMetrics) {
    const [, url, anchor] = /^Stage test: .+ (\S+)#(\S+)$/.exec(AlarmDescription) ?? [];
    expect(url, AlarmDescription).toBe('https://example.com/runbook');
    const section = anchorOf(shortName(AlarmName));
    expect(section, shortName(AlarmName)).toBeDefined();
    expect(anchor, AlarmDescription).toBe(section);
  }
});

test('each section of an alarm in the runbook has an alarm', () => {
  const ofAlarms = text.slice(text.indexOf('\n## Alarms\n'));
  const named = [...ofAlarms.matchAll(/^### (.*)/gm)].flatMap(([, one = '']) => one.split(', '));
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) {
    const exists = ofMetrics.some(({ AlarmName }) =>
      shortName(AlarmName).endsWith(name.replace('…', '')),
    );
    expect(exists, name).toBe(true);
  }
});

/** The dimensions of a metric, without those that name a version of the function. */
function dimensionsOf({ Namespace, Dimensions = [] }: Metric): Record<string, unknown> {
  const ofVersion = Namespace === 'AWS/Lambda' ? ['ExecutedVersion', 'Resource'] : ['version'];
  return Object.fromEntries(
    Dimensions.flatMap(({ Name, Value }) => (ofVersion.includes(Name) ? [] : [[Name, Value]])),
  );
}

test('each measures what a function counts or AWS publishes, with its dimensions', () => {
  for (const alarm of ofMetrics) {
    const measured = measuredBy(alarm);
    expect(measured.length).toBeGreaterThan(0);
    // CloudWatch evaluates no more than ten metrics and expressions.
    expect(alarm.Metrics?.length ?? 1, shortName(alarm.AlarmName)).toBeLessThanOrEqual(10);
    for (const { Metric } of measured) {
      const { Namespace: namespace, MetricName: name } = Metric;
      const dimensions = dimensionsOf(Metric);
      expect(
        faultOf({ namespace, name, dimensions }, 'test'),
        shortName(alarm.AlarmName),
      ).toBeUndefined();
    }
  }
});

test('the graphs of the dashboard show such metrics, too', () => {
  const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
  const shown = widgets.flatMap(metricsOf);
  expect(shown.length).toBeGreaterThan(15);
  expect(shown.flatMap((metric) => faultOf(metric, 'test') ?? [])).toEqual([]);
});

test('the saved queries that descriptions name exist', () => {
  const descriptions = alarms.map(({ AlarmDescription }) => AlarmDescription).join('\n');
  const queries = [...descriptions.matchAll(/saved query (\w+)/g)];
  expect(queries.length).toBeGreaterThan(0);
  for (const [, name] of queries) {
    const Name = `CustomerDataApi-test/${name}`;
    template.hasResourceProperties('AWS::Logs::QueryDefinition', { Name });
  }
});
