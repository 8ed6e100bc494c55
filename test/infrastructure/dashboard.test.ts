import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { frameOf, metricsOf, widgetsOf } from '../support/dashboard-body.ts';
import { PROJECT } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';
import { faultOf } from '../support/used-metrics.ts';

/* The golden template has the graphs. */

const widgets = widgetsOf(templateFor().findResources('AWS::CloudWatch::Dashboard'));

test('its graphs show what the functions count or AWS publishes', () => {
  expect(widgets.length).toBeGreaterThan(15);
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const faults = metricsOf(widget).map((metric) => faultOf(metric, 'test'));
    expect(faults.length, widget.properties.title).toBeGreaterThan(0);
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }
});

test('the picture in the documents shows each of its widgets, lines and alarms in its place', async () => {
  const picture = await readFile(new URL('docs/dashboard.svg', PROJECT), 'utf8');
  const shown = [...picture.matchAll(/>([^<>]+)</g)].map(([, text]) =>
    text?.replaceAll('&amp;', '&'),
  );
  for (const widget of widgets) {
    const { title, markdown, metrics = [], alarms = [] } = widget.properties;
    expect(picture, title).toContain(frameOf(widget));
    const labels = metrics.flatMap((row) => {
      const options = row.at(-1);
      return typeof options === 'object' && options.visible !== false ? (options.label ?? []) : [];
    });
    const names = alarms.map((arn) => arn.replace(/.*\//, ''));
    const texts = [title ?? markdown?.replace(/^#+ /, ''), ...labels, ...names];
    expect(shown).toEqual(expect.arrayContaining(texts));
  }
  const graphs = widgets.filter(({ type }) => type === 'metric').length;
  expect(picture.match(/class="graph"/g)).toHaveLength(graphs);
});
