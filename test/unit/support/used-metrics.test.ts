import { expect, test } from 'vitest';
import { faultOf } from '../../support/used-metrics.ts';

/* An alarm on a metric that nobody publishes is never on, and nothing else tells. */

const requests = {
  namespace: 'AWS/ApiGateway',
  name: 'Count',
  dimensions: { Stage: 'dev', ApiName: 'api' },
};
const responses = {
  namespace: 'CustomerDataApi',
  name: 'Responses',
  dimensions: { service: 'get-config', stage: 'dev', code: 'ValidationException' },
};

test.each([
  requests,
  responses,
  { ...responses, dimensions: { service: 'get-config', stage: 'dev' } },
])('a metric that is published has no fault: %j', (metric) => {
  expect(faultOf(metric, 'dev')).toBeUndefined();
});

test.each([
  ['another name', { ...requests, name: 'Requests' }, 'AWS has no metric'],
  ['another namespace', { ...requests, namespace: 'AWS/Gateway' }, 'AWS has no metric'],
  ['no dimension', { ...requests, dimensions: {} }, 'other dimensions'],
  ['one dimension less', { ...requests, dimensions: { Stage: 'dev' } }, 'other dimensions'],
  [
    'one dimension more',
    { ...requests, dimensions: { ...requests.dimensions, Method: 'POST' } },
    'other dimensions',
  ],
])('a metric of AWS with %s has one', (_, metric, fault) => {
  expect(faultOf(metric, 'dev')).toContain(fault);
});

test.each([
  ['another stage', { stage: 'prod' }, 'not of the stage dev'],
  ['another function', { service: 'store-queued-promo-events' }, 'does not count Responses'],
  ['another dimension', { method: 'POST' }, 'no dimensions method'],
  ['an unknown code', { code: 'Teapot' }, 'no code Teapot'],
])('a metric of ours with %s has one', (_, changed, fault) => {
  const metric = { ...responses, dimensions: { ...responses.dimensions, ...changed } };
  expect(faultOf(metric, 'dev')).toContain(fault);
});

test('only responses have a code', () => {
  expect(faultOf({ ...responses, name: 'ServerErrors' }, 'dev')).toContain('has no code');
});
