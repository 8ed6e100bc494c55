import { expect, test } from 'vitest';
import { faultOf } from '../../support/used-metrics.ts';

/* An alarm on a metric that nobody publishes is never on, and nothing else tells. */

const count = { namespace: 'AWS/ApiGateway', name: 'Count' };
const ofApi = { Stage: 'dev', ApiName: 'api' };
const responses = { namespace: 'CustomerDataApi', name: 'Responses' };
const ofService = { service: 'get-config', stage: 'dev' };

test.each([
  { ...count, dimensions: ofApi },
  { ...responses, dimensions: ofService },
  { ...responses, dimensions: { ...ofService, code: 'ValidationException' } },
])('a metric that is published has no fault: %j', (metric) => {
  expect(faultOf(metric, 'dev')).toBeUndefined();
});

test.each([
  { ...count, name: 'Requests', dimensions: ofApi },
  { ...count, namespace: 'AWS/Gateway', dimensions: ofApi },
  { ...count, dimensions: {} },
  { ...count, dimensions: { Stage: 'dev' } },
  { ...count, dimensions: { ...ofApi, Method: 'POST' } },
  { ...responses, dimensions: { ...ofService, stage: 'prod' } },
  { ...responses, dimensions: { ...ofService, service: 'store-queued-promo-events' } },
  { ...responses, dimensions: { ...ofService, method: 'POST' } },
  { ...responses, dimensions: { ...ofService, code: 'Teapot' } },
  { ...responses, name: 'UserBindingRefused', dimensions: ofService },
  { ...responses, name: 'ServerErrors', dimensions: { ...ofService, code: 'OK' } },
])('one that is not has a fault: %j', (metric) => {
  expect(faultOf(metric, 'dev')).toEqual(expect.any(String));
});
