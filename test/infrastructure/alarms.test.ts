import GithubSlugger from 'github-slugger';
import { expect, test } from 'vitest';
import { checkCall } from '../support/documents/command-check.ts';
import { readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';
import { faultOf } from '../support/used-metrics.ts';

/*
 * What is true of every alarm. The golden template has what each of them watches, and alarm-
 * states.test.ts when it is on.
 */

const template = templateFor({
  gradualDeployment: true,
  reservedConcurrency: { GetConfig: 200, ApplyPromoCode: 100, StoreQueuedPromoEvents: 10 },
  runbookUrl: 'https://example.com/runbook',
});

/** An alarm as far as it is read here. */
interface Alarm {
  readonly AlarmName: string;
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
const isOfDeployment = ({ AlarmName }: Alarm) => AlarmName.endsWith('FailedCalls');
const alarms = propertiesOf('AWS::CloudWatch::Alarm').filter((alarm) => !isOfDeployment(alarm));
const all = ['Alarm', 'CompositeAlarm'].flatMap((type) => propertiesOf(`AWS::CloudWatch::${type}`));

/** What an alarm measures: the metrics of its expression, or itself. */
const measuredBy = (alarm: Alarm): { readonly Metric: Metric }[] =>
  alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [
    { Metric: alarm as unknown as Metric },
  ];

const { tables, text } = await readDocument('docs/runbook.md');
const slugger = new GithubSlugger();
/** The anchors of the sections of the runbook. */
const anchors = [...text.matchAll(/^#+ (.*)/gm)].map(([, heading = '']) => slugger.slug(heading));

test('each leads to the section that the runbook lists for it', () => {
  expect(alarms.length).toBeGreaterThan(20);
  const rows = tables.find(({ header }) => header[0] === 'alarm')?.rows ?? [];
  const listed = new Map(
    rows.map(([name, link]) => [
      `CustomerDataApi-test-${name?.replaceAll('`', '')}`,
      /\(#(.+)\)/.exec(link ?? '')?.[1],
    ]),
  );
  for (const alarm of all) {
    const { AlarmName, AlarmDescription } = alarm;
    const [, url, anchor] = /^Stage test: .+ (\S+)#(\S+)$/.exec(AlarmDescription) ?? [];
    expect(url, AlarmDescription).toBe('https://example.com/runbook');
    const section = isOfDeployment(alarm) ? 'a-deployment-was-rolled-back' : listed.get(AlarmName);
    expect(anchor, AlarmDescription).toBe(section);
    expect(anchors, AlarmDescription).toContain(anchor);
  }
});

test('each measures what a function counts or AWS publishes, with its dimensions', () => {
  for (const alarm of alarms) {
    const measured = measuredBy(alarm);
    expect(measured.length).toBeGreaterThan(0);
    // CloudWatch evaluates no more than ten metrics and expressions.
    expect(alarm.Metrics?.length ?? 1, alarm.AlarmName).toBeLessThanOrEqual(10);
    for (const { Metric } of measured) {
      const { Namespace: namespace, MetricName: name, Dimensions = [] } = Metric;
      const dimensions = Object.fromEntries(Dimensions.map((one) => [one.Name, one.Value]));
      expect(faultOf({ namespace, name, dimensions }, 'test'), alarm.AlarmName).toBeUndefined();
    }
  }
});

test('the commands and saved queries that descriptions name exist', async () => {
  const descriptions = alarms.map(({ AlarmDescription }) => AlarmDescription).join('\n');
  const commands = [...descriptions.matchAll(/"(?:npx customer-data )?([^"]+)"/g)];
  const queries = [...descriptions.matchAll(/saved query (\w+)/g)];
  expect(Math.min(commands.length, queries.length)).toBeGreaterThan(0);
  for (const [, command = ''] of commands) {
    // N stands for a number.
    await checkCall(['npx', 'customer-data', ...command.replace('@N', '@3').split(' ')]);
  }
  for (const [, name] of queries) {
    const Name = `CustomerDataApi-test/${name}`;
    template.hasResourceProperties('AWS::Logs::QueryDefinition', { Name });
  }
});
