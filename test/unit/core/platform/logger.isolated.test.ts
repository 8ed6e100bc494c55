import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as module from '../../../../core/platform/logger.ts';

vi.mock('../../../../core/platform/stack-trace.ts', () => ({
  inTermsOfSource: (stack: string) => stack.replaceAll('bundle', 'source'),
}));

let logger: typeof module.logger;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '5');
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      lines.push(JSON.parse(String(text)));
      return true;
    });
  }
  vi.resetModules();
  ({ logger } = await import('../../../../core/platform/logger.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const flood = (message: string, count: number) => {
  for (let number = 0; number < count; number++) logger.warn(message, { number });
};

test('a line has its level, its message and its values', () => {
  logger.error('It failed', { statusCode: 500 });
  logger.warn('It was refused', { statusCode: 401 });
  logger.info('App-Ids were used', { unnamed: 2 });
  expect(lines).toEqual([
    expect.objectContaining({ level: 'ERROR', message: 'It failed', statusCode: 500 }),
    expect.objectContaining({ level: 'WARN', message: 'It was refused', statusCode: 401 }),
    expect.objectContaining({ level: 'INFO', message: 'App-Ids were used', unnamed: 2 }),
  ]);
  for (const line of lines) expect(line).not.toHaveProperty('suppressed');
});

test('a stack trace is in terms of the source, and nothing else is changed', () => {
  const error = new Error('in the bundle');
  error.stack = 'Error: no\n    at bundle:1:1';
  logger.error('It failed', { error, note: 'in the bundle', other: { stack: 7 } });
  expect(lines[0]).toMatchObject({
    error: { message: 'in the bundle', stack: expect.stringContaining('at source:1:1') },
    note: 'in the bundle',
    other: { stack: 7 },
  });
});

test('of a flood, the first 50 lines are written, and the next one says how many were not', () => {
  flood('It was refused', 60);
  expect(lines.map(({ number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, index) => index),
  );
  vi.advanceTimersByTime(5000);
  flood('It was refused', 2);
  expect(lines.slice(50)).toEqual([expect.objectContaining({ number: 0, suppressed: 10 })]);
  vi.advanceTimersByTime(5000);
  flood('It was refused', 1);
  expect(lines.slice(51)).toEqual([expect.objectContaining({ number: 0, suppressed: 1 })]);
});

test('a flood of one message suppresses no line of another', () => {
  flood('It was refused', 60);
  logger.error('It failed', {});
  expect(lines.at(-1)).toMatchObject({ message: 'It failed' });
});

test('information has no limit', () => {
  for (let number = 1; number <= 60; number++) logger.info('App-Ids were used', { number });
  expect(lines).toHaveLength(60);
});
