import { expect, test } from 'vitest';
import { templateFor } from '../support/stack.ts';
import { faultOf } from '../support/used-metrics.ts';
import { metricsOf, widgetsOf } from '../support/widgets.ts';

const widgets = widgetsOf(templateFor().findResources('AWS::CloudWatch::Dashboard'));

test('its graphs show what the functions count or AWS publishes', () => {
  expect(widgets.length).toBeGreaterThan(15);
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const faults = metricsOf(widget).map((metric) => faultOf(metric, 'test'));
    expect(faults.length, widget.properties.title).toBeGreaterThan(0);
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }
});
