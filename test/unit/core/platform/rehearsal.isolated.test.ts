import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as loggerModule from '../../../../core/platform/logger.ts';
import type * as metricsModule from '../../../../core/platform/metrics.ts';
import type * as rehearsalModule from '../../../../core/platform/rehearsal.ts';

let logger: typeof loggerModule.logger;
let metrics: typeof metricsModule;
let rehearsal: typeof rehearsalModule;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('LOG_INTERVAL_SECONDS', '5');
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  lines = [];
  const write = (text: unknown) => {
    lines.push(JSON.parse(String(text)));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  vi.spyOn(process.stderr, 'write').mockImplementation(write);
  vi.resetModules();
  ({ logger } = await import('../../../../core/platform/logger.ts'));
  metrics = await import('../../../../core/platform/metrics.ts');
  rehearsal = await import('../../../../core/platform/rehearsal.ts');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function logAndCount(name: string): void {
  logger.info(name, {});
  logger.warn(name, {});
  logger.error(name, {});
  metrics.count('UserBindingRefused');
  metrics.countResponse(name, 500);
  metrics.publishMetrics();
}

test('what a rehearsal logs and counts is written nowhere, also after a wait in it', async () => {
  await rehearsal.inRehearsal({}, async () => {
    logAndCount('before');
    await setTimeout(1);
    logAndCount('after');
  });
  expect(lines).toEqual([]);
});

test('an answer comes after what else is ready to run', async () => {
  const order: string[] = [];
  await rehearsal.inRehearsal({}, async () => {
    setImmediate(() => order.push('other work'));
    await rehearsal.rehearsedAnswer();
    order.push('the call that was answered');
  });
  expect(order).toEqual(['other work', 'the call that was answered']);
});

test('what prints in a rehearsal hears that its line was written', async () => {
  const accepted: boolean[] = [];
  await rehearsal.inRehearsal({}, async () => {
    rehearsal.printUnlessRehearsal(() => {
      accepted.push(process.stdout.write('line'), process.stderr.write('line'));
    });
  });
  expect(accepted).toEqual([true, true]);
});

test('what others log meanwhile is written, and what is counted afterwards contains nothing of it', async () => {
  const rehearsed = rehearsal.inRehearsal({}, async () => {
    await setTimeout(1);
    logAndCount('rehearsal');
  });
  logger.warn('The first call was not prepared', {});
  await rehearsed;
  metrics.countResponse('OK', 200);
  metrics.publishMetrics();
  const [line, metric, ...others] = lines;
  expect(line).toMatchObject({ message: 'The first call was not prepared' });
  expect(metric).toMatchObject({ code: 'OK', Responses: 1 });
  for (const name of ['ServerErrors', 'UserBindingRefused', 'version']) {
    expect(metric).not.toHaveProperty(name);
  }
  expect(others).toEqual([]);
});

test('a rehearsal that fails is over', async () => {
  const failing = rehearsal.inRehearsal({}, async () => {
    throw new Error('The rehearsal failed.');
  });
  await expect(failing).rejects.toThrow('The rehearsal failed.');
  expect(rehearsal.rehearsedAnswer()).toBeUndefined();
});

test('later lines are written to the stream that they are for', async () => {
  const before = [process.stdout.write, process.stderr.write];
  await rehearsal.inRehearsal({}, async () => rehearsal.printUnlessRehearsal(() => {}));
  expect(process.stdout.write).toBe(before[0]);
  expect(process.stderr.write).toBe(before[1]);
});

test('if a line of a rehearsal cannot be made, later lines are written to both streams', async () => {
  await rehearsal.inRehearsal({}, async () => {
    const print = () =>
      rehearsal.printUnlessRehearsal(() => {
        throw new Error('The line cannot be made.');
      });
    expect(print).toThrow('The line cannot be made.');
  });
  process.stdout.write('{"to":"stdout"}');
  process.stderr.write('{"to":"stderr"}');
  expect(lines).toEqual([{ to: 'stdout' }, { to: 'stderr' }]);
});
