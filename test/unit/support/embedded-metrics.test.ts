import { expect, test } from 'vitest';
import { datapointsOf, sumOf } from '../../support/embedded-metrics.ts';

/* Tests of metrics rely on this reader, so here it must refuse what CloudWatch would ignore. */

/** A line with a metric `Responses`, with other values and another unit. */
function lineOf(values: object, Unit = 'Count') {
  return {
    _aws: {
      Timestamp: 1,
      CloudWatchMetrics: [
        {
          Namespace: 'Space',
          Dimensions: [['service'], ['service', 'code']],
          Metrics: [{ Name: 'Responses', Unit }],
        },
      ],
    },
    ...{ service: 'get-config', code: 'OK', Responses: 2 },
    ...values,
  };
}

test('a metric has a value for each set of dimensions, and none for a part of it', () => {
  const datapoints = [...datapointsOf(lineOf({})), ...datapointsOf(lineOf({ code: 'Refused' }))];
  expect(datapoints[0]).toEqual({
    ...{ namespace: 'Space', name: 'Responses', value: 2, time: 1 },
    dimensions: { service: 'get-config' },
  });
  expect(sumOf(datapoints, 'Responses', { service: 'get-config' })).toBe(4);
  expect(sumOf(datapoints, 'Responses', { code: 'OK', service: 'get-config' })).toBe(2);
  expect(sumOf(datapoints, 'Responses', { code: 'OK' })).toBe(0);
  expect(sumOf(datapoints, 'Errors', { service: 'get-config' })).toBe(0);
});

test('a line of the log has no metrics', () => {
  expect(datapointsOf({ message: 'Request refused' })).toEqual([]);
});

test.each([
  ['a dimension that is missing', lineOf({ code: undefined })],
  ['an empty dimension', lineOf({ code: '' })],
  ['a dimension that is a number', lineOf({ code: 7 })],
])('%s is refused, by its name', (_, line) => {
  expect(() => datapointsOf(line)).toThrow('The dimension code has no value.');
});

test.each([
  ['a value that is missing', lineOf({ Responses: undefined })],
  ['a value in quotes', lineOf({ Responses: '2' })],
  ['another unit', lineOf({}, 'Milliseconds')],
])('%s is refused', (_, line) => {
  expect(() => datapointsOf(line)).toThrow('Responses is not a count.');
});
