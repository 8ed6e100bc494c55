import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { nameOf, type Operation } from '../../functions/api/operation.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { readRestApi } from '../../local/rest-api.ts';
import { Template as LocalTemplate, type TemplateBody } from '../../local/template.ts';
import { templateFor } from '../support/stack.ts';

/* What a flood may use: throttling of the paths, and reserved concurrency of the functions. */

const GET_CONFIG = { requestsPerSecond: 500, burst: 250 };
const STAGE = { requestsPerSecond: 5000, burst: 2500 };

const template = templateFor();

/** The limits of each path, as the gateway of the local server reads them. */
function throttles(of: Template): Record<string, unknown> {
  const { routes } = readRestApi(new LocalTemplate(of.toJSON() as TemplateBody, 'test'));
  return Object.fromEntries(
    routes
      .filter(({ method }) => method === 'POST')
      .map(({ path, throttle }) => [path, throttle])
      .sort(),
  );
}

/** A property of each function, by its name. */
const ofFunctions = (of: Template, property: string) =>
  Object.fromEntries(
    Object.entries(of.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      Properties[property],
    ]),
  );

const reserved = (of: Template) => ofFunctions(of, 'ReservedConcurrentExecutions');

/** The limits of an operation on each of its paths. */
const ofPaths = ({ paths }: Operation, limits: object) =>
  Object.fromEntries(paths.map(({ path }) => [path, limits]));
/** Those of all operations, if they have no limits of their own. */
const ofAllPaths = (limits: object) =>
  Object.assign({}, ...OPERATIONS.map((operation) => ofPaths(operation, limits)));

test('both paths of getConfig are throttled, and promoCode/apply gets what is left for it', () => {
  expect(getConfig.paths).toHaveLength(2);
  expect(throttles(template)).toEqual({ ...ofAllPaths(STAGE), ...ofPaths(getConfig, GET_CONFIG) });
});

test('a flood of getConfig on every path leaves most of the account to promoCode/apply', () => {
  // The quotas of an account: 10,000 requests per second in API Gateway, 1,000 concurrent functions in Lambda.
  const { requestsPerSecond, burst } = getConfig.throttle;
  const paths = getConfig.paths.length;
  expect(paths * requestsPerSecond).toBeLessThanOrEqual(0.1 * 10_000);
  const secondsOfAStart = 0.3;
  expect(paths * (burst + requestsPerSecond * secondsOfAStart)).toBeLessThanOrEqual(800);
  expect(applyPromoCode).not.toHaveProperty('throttle');
});

test('settings change the limits of one operation, and of all other paths', () => {
  const own = { requestsPerSecond: 7, burst: 8 };
  const others = { requestsPerSecond: 9, burst: 10 };
  expect(throttles(templateFor({ throttling: { getConfig: own, default: others } }))).toEqual({
    ...ofAllPaths(others),
    ...ofPaths(getConfig, own),
  });
  expect(throttles(templateFor({ throttling: { applyPromoCode: own } }))).toEqual({
    ...ofAllPaths(STAGE),
    ...ofPaths(getConfig, GET_CONFIG),
    ...ofPaths(applyPromoCode, own),
  });
});

test('no function reserves concurrency by default: a new account has none that it could reserve', () => {
  const names = [...OPERATIONS.map(nameOf), QUEUE_FUNCTION, RECORDING_FUNCTION];
  const values = reserved(template);
  for (const name of names) expect(values).toHaveProperty(name, undefined);
});

test('each function reserves the concurrency of its setting', () => {
  const reservedConcurrency = {
    GetConfig: 200,
    ApplyPromoCode: 500,
    [QUEUE_FUNCTION]: 10,
    [RECORDING_FUNCTION]: 1,
  };
  expect(reserved(templateFor({ reservedConcurrency }))).toMatchObject(reservedConcurrency);
});

test('each function has the memory of the setting, and 1,024 MB without it', () => {
  const memory = (of: Template) => new Set(Object.values(ofFunctions(of, 'MemorySize')));
  expect(memory(template)).toEqual(new Set([1024]));
  expect(memory(templateFor({ memoryMegabytes: 2048 }))).toEqual(new Set([2048]));
});
