import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { metricsOf, widgetsOf } from '../support/dashboard/body.ts';
import { PROJECT } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';
import { faultOf, statisticOf } from '../support/used-metrics.ts';

const template = templateFor();
const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
const QUESTIONS = [
  'Are apps being served?',
  'Is anyone refused, and why?',
  'Is anything waiting or lost?',
  'Is a configuration broken?',
  'What does it cost?',
];

test('has the name of the stack', () => {
  template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  template.hasResourceProperties('AWS::CloudWatch::Dashboard', {
    DashboardName: 'CustomerDataApi-test',
  });
});

test('answers its questions from top to bottom, each with graphs', () => {
  const headings = widgets.filter(({ type }) => type === 'text').sort((one, two) => one.y - two.y);
  expect(headings.map(({ properties }) => properties.markdown?.replace(/^#+ /, ''))).toEqual(
    QUESTIONS,
  );
  const starts = [...headings.map(({ y }) => y), Number.POSITIVE_INFINITY];
  for (const [index, start] of starts.slice(0, -1).entries()) {
    const end = starts[index + 1] ?? 0;
    const graphs = widgets.filter(({ type, y }) => type === 'metric' && y > start && y < end);
    expect(graphs.length, QUESTIONS[index]).toBeGreaterThan(1);
  }
});

test('shows the state of every alarm first', () => {
  const [first] = widgets;
  const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) =>
    Object.values(template.findResources(`AWS::CloudWatch::${type}`)),
  );
  const shown = first?.properties.alarms?.map((arn) => arn.replace(/.*:alarm:/, '')) ?? [];
  expect(shown.toSorted()).toEqual(alarms.map(({ Properties }) => Properties.AlarmName).sort());
  expect(shown).toContain('CustomerDataApi-test-AppsNotServed');
});

test('uses metrics that the functions count or AWS publishes, with their dimensions', () => {
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const metrics = metricsOf(widget);
    expect(metrics.length, widget.properties.title).toBeGreaterThan(0);
    for (const metric of metrics) expect(faultOf(metric, 'test')).toBe(undefined);
  }
});

test('adds up what is counted and takes the worst value of what is measured, in five minutes, or in the hour of the costs', () => {
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const { title = '' } = widget.properties;
    const isCost = title.includes('an hour');
    for (const { name, options } of metricsOf(widget)) {
      // Lambda bills all durations.
      const stat = isCost && name === 'Duration' ? 'Sum' : statisticOf(name);
      expect(options.stat, `${name} of ${title}`).toBe(stat);
      expect(options.period, `${name} of ${title}`).toBe(isCost ? 3600 : undefined);
    }
  }
});

test('the picture in the documents shows all of its widgets', async () => {
  const picture = await readFile(new URL('docs/dashboard.svg', PROJECT), 'utf8');
  const text = picture.replaceAll('&amp;', '&');
  for (const { type, properties } of widgets) {
    const title = type === 'text' ? properties.markdown?.replace(/^#+ /, '') : properties.title;
    expect(text, title).toContain(`>${title}<`);
    const labels = (properties.metrics ?? []).flatMap((row) => {
      const options = row.at(-1);
      return typeof options === 'object' && options.visible !== false ? (options.label ?? []) : [];
    });
    for (const label of labels) expect(text, `${title}: ${label}`).toContain(`>${label}<`);
  }
  const graphs = widgets.filter(({ type }) => type === 'metric').length;
  expect(picture.match(/class="graph"/g)).toHaveLength(graphs);
});
