import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as module from '../../../../core/platform/metrics.ts';

/* What CloudWatch reads: one JSON object per line. */

let metrics: typeof module;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'get-config');
  vi.stubEnv('STAGE_NAME', 'prod');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '5');
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  vi.resetModules();
  metrics = await import('../../../../core/platform/metrics.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const directive = (dimensions: string[], ...names: string[]) => ({
  Namespace: 'CustomerDataApi',
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
});
const OURS = { service: 'get-config', stage: 'prod' };

test('what an invocation counts is one line: the response by its code, and everything else', () => {
  metrics.count('FieldsLeftOut', 3);
  metrics.count('FieldsLeftOut');
  metrics.count('LastGoodConfigServed');
  metrics.countResponse('OK', 200);
  metrics.publishMetrics();
  expect(lines).toEqual([
    {
      _aws: {
        Timestamp: 1_000_000,
        CloudWatchMetrics: [
          directive(['service', 'stage'], 'FieldsLeftOut', 'LastGoodConfigServed', 'Responses'),
          directive(['service', 'stage', 'code'], 'Responses'),
        ],
      },
      ...OURS,
      code: 'OK',
      FieldsLeftOut: 4,
      LastGoodConfigServed: 1,
      Responses: 1,
    },
  ]);
});

test('a response of 400 or more is a client error, and one of 500 or more a server error of its version', () => {
  for (const [code, status] of [
    ['OK', 399],
    ['A', 400],
    ['A', 499],
    ['B', 500],
    ['C', 503],
  ] as const) {
    metrics.countResponse(code, status);
    metrics.publishMetrics();
  }
  const no = undefined;
  expect(lines.map(({ ClientErrors }) => ClientErrors)).toEqual([no, 1, 1, no, no]);
  expect(lines.map(({ ServerErrors }) => ServerErrors)).toEqual([no, no, no, 1, 1]);
  expect(lines[2]).not.toHaveProperty('version');
  expect(lines[3]).toEqual({
    _aws: {
      Timestamp: 1_000_000,
      CloudWatchMetrics: [
        directive(['service', 'stage'], 'ServerErrors', 'Responses'),
        directive(['service', 'stage', 'code'], 'Responses'),
        directive(['service', 'stage', 'version'], 'ServerErrors'),
      ],
    },
    ...OURS,
    code: 'B',
    version: '7',
    ServerErrors: 1,
    Responses: 1,
  });
});

test('a request of a client that admits nobody is counted for the version that refuses it as well', () => {
  metrics.count('ClientLockedOut');
  metrics.countResponse('Unauthorized', 401);
  metrics.publishMetrics();
  expect(lines).toEqual([
    {
      _aws: {
        Timestamp: 1_000_000,
        CloudWatchMetrics: [
          directive(['service', 'stage'], 'ClientLockedOut', 'ClientErrors', 'Responses'),
          directive(['service', 'stage', 'code'], 'Responses'),
          directive(['service', 'stage', 'version'], 'ClientLockedOut'),
        ],
      },
      ...OURS,
      code: 'Unauthorized',
      version: '7',
      ClientLockedOut: 1,
      ClientErrors: 1,
      Responses: 1,
    },
  ]);
});

test('counts without a response are a line of their own', () => {
  metrics.count('PromoEventApplied', 2);
  vi.setSystemTime(1_002_000);
  metrics.publishMetrics();
  expect(lines).toEqual([
    {
      _aws: {
        Timestamp: 1_000_000,
        CloudWatchMetrics: [directive(['service', 'stage'], 'PromoEventApplied')],
      },
      ...OURS,
      PromoEventApplied: 2,
    },
  ]);
});

test('nothing is written if nothing was counted, and nothing is written twice', () => {
  const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // However often: what is not written does not count for the limit of lines.
  for (let calls = 0; calls < 60; calls++) metrics.publishMetrics();
  metrics.countResponse('OK', 200);
  metrics.publishMetrics();
  metrics.publishMetrics();
  expect(lines).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
});

test('after 50 lines at once, counts are held and written together, none of them twice or never', () => {
  const respond = (code: string, status: number) => {
    metrics.countResponse(code, status);
    metrics.publishMetrics();
  };
  for (let calls = 0; calls < 50; calls++) respond('OK', 200);
  expect(lines).toHaveLength(50);
  vi.setSystemTime(1_001_000);
  for (let calls = 0; calls < 30; calls++) respond('Unauthorized', 401);
  for (let calls = 0; calls < 10; calls++) respond('InternalServerError', 500);
  expect(lines).toHaveLength(50);
  vi.setSystemTime(1_005_000);
  respond('OK', 200);
  const [unauthorized, failed, ok] = lines.slice(50);
  expect(lines).toHaveLength(53);
  expect(unauthorized).toMatchObject({ code: 'Unauthorized', Responses: 30, ServerErrors: 10 });
  expect(failed).toMatchObject({ code: 'InternalServerError', Responses: 10 });
  expect(ok).toMatchObject({ code: 'OK', Responses: 1 });
  for (const line of [failed, ok]) expect(line).not.toHaveProperty('ServerErrors');
  // Of the first count in the lines, so that they are in the minute in which they were made.
  for (const line of lines.slice(50))
    expect(line).toMatchObject({ _aws: { Timestamp: 1_001_000 } });
});
