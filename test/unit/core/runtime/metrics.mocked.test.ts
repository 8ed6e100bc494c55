import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as module from '../../../../core/runtime/metrics.ts';
import { datapointsOf } from '../../../support/embedded-metrics.ts';

let metrics: typeof module;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'get-config');
  vi.stubEnv('STAGE_NAME', 'prod');
  vi.stubEnv('COUNT_BY_VERSION', 'true');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '5');
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation(
    (text) => lines.push(JSON.parse(String(text))) > 0,
  );
  vi.resetModules();
  metrics = await import('../../../../core/runtime/metrics.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/**
 * Returns what CloudWatch reads from each line: the metrics with their sums, and what they have
 * besides service and stage.
 */
function published(): string[][] {
  return lines.splice(0).map((line) =>
    datapointsOf(line).map(({ namespace, name, dimensions, value, time }) => {
      const { service, stage, ...others } = dimensions;
      expect([namespace, service, stage]).toEqual(['CustomerDataApi', 'get-config', 'prod']);
      const more = Object.entries(others).map(([key, of]) => `${key}=${of}`);
      return [name, ...more, value, `at ${time}`].join(' ');
    }),
  );
}

const respond = (code: string, status: number) => {
  metrics.countResponse(code, status);
  metrics.publishMetrics();
};

test('nothing is written if nothing was counted, and nothing is written twice', () => {
  const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // However often: what is not written does not count for the limit of lines.
  for (let calls = 0; calls < 60; calls++) metrics.publishMetrics();
  respond('Failed', 500);
  respond('OK', 200);
  metrics.publishMetrics();
  expect(published().map(([first]) => first)).toEqual([
    'ServerErrors 1 at 1000000',
    'Responses 1 at 1000000',
  ]);
  expect(warn).not.toHaveBeenCalled();
});

test('after 50 lines at once, counts are held and written together, none of them twice or never', () => {
  for (let calls = 0; calls < 50; calls++) respond('OK', 200);
  expect(published()).toHaveLength(50);
  vi.setSystemTime(1_001_000);
  for (let calls = 0; calls < 30; calls++) respond('Unauthorized', 401);
  for (let calls = 0; calls < 10; calls++) respond('Failed', 500);
  expect(published()).toEqual([]);
  vi.setSystemTime(1_005_000);
  respond('OK', 200);
  // Each code has a line, and the first one has the rest. They are in the minute in which they were
  // counted.
  const at = ' at 1001000';
  expect(published()).toEqual([
    [
      `ClientErrors 30${at}`,
      `ServerErrors 10${at}`,
      `Responses 30${at}`,
      `Responses code=Unauthorized 30${at}`,
      `ServerErrors version=7 10${at}`,
    ],
    [`Responses 10${at}`, `Responses code=Failed 10${at}`],
    [`Responses 1${at}`, `Responses code=OK 1${at}`],
  ]);
});

test('without a gradual deployment, no metric is by version', () => {
  vi.stubEnv('COUNT_BY_VERSION', 'false');
  respond('Failed', 500);
  expect(published().flat().join()).not.toContain('version');
});
