import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as module from '../../../../core/runtime/logger.ts';

let logger: typeof module.logger;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  vi.stubEnv('COUNT_BY_VERSION', 'false');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '5');
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(
      (text) => lines.push(JSON.parse(String(text))) > 0,
    );
  }
  vi.resetModules();
  ({ logger } = await import('../../../../core/runtime/logger.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const flood = (message: string, count: number) => {
  for (let number = 0; number < count; number++) logger.warn(message, { number });
};

test('of a flood, the first 50 lines are written, and the next one says how many were not', () => {
  flood('It was refused', 60);
  expect(lines).toHaveLength(50);
  expect(lines[0]).toMatchObject({ level: 'WARN', message: 'It was refused', number: 0 });
  expect(lines[49]).not.toHaveProperty('suppressed');
  for (const suppressed of [10, 1]) {
    vi.advanceTimersByTime(4999);
    logger.warn('It was refused', {});
    vi.advanceTimersByTime(1);
    flood('It was refused', 1);
    expect(lines.at(-1)).toMatchObject({ number: 0, suppressed: suppressed + 1 });
    flood('It was refused', 1);
  }
  expect(lines).toHaveLength(52);
  // However long the pause was.
  vi.advanceTimersByTime(3_600_000);
  flood('It was refused', 60);
  expect(lines).toHaveLength(102);
  // A clock that is set back takes nothing away.
  vi.setSystemTime(Date.now() - 60_000);
  flood('It was refused', 1);
  vi.advanceTimersByTime(5000);
  flood('It was refused', 1);
  expect(lines).toHaveLength(103);
});

test('a flood of one message suppresses no line of another, and information has no limit', () => {
  flood('It was refused', 60);
  logger.error('It failed', {});
  expect(lines.at(-1)).toMatchObject({ message: 'It failed' });
  for (let number = 1; number <= 60; number++) logger.info('App-Ids were used', { number });
  expect(lines).toHaveLength(111);
});
