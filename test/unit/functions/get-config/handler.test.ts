import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { logger } from '../../../../core/platform/logger.ts';
import { count } from '../../../../core/platform/metrics.ts';
import { type ApiHandlerOptions, apiHandler } from '../../../../functions/api/api-handler.ts';
import { ENVIRONMENT, type GetConfigRequest } from '../../../../functions/get-config/operation.ts';

vi.mock('../../../../core/platform/logger.ts', () => ({ logger: { error: vi.fn() } }));
vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));
vi.mock('../../../../functions/api/api-handler.ts', () => ({ apiHandler: vi.fn() }));

type Options = ApiHandlerOptions<typeof GetConfigRequest, ReadConfiguration>;

let clientData: Options['clientData'];
beforeEach(async () => {
  for (const name of [...ENVIRONMENT, 'AWS_REGION']) vi.stubEnv(name, '1');
  vi.resetModules();
  await import('../../../../functions/get-config/handler.ts');
  const [options] = vi.mocked(apiHandler).mock.lastCall ?? [];
  ({ clientData } = options as unknown as Options);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

test('a valid configuration causes no log line and no metric', () => {
  clientData.read({ fields: [], lastFieldId: 0 }, 'demo');
  expect(logger.error).not.toHaveBeenCalled();
  expect(count).not.toHaveBeenCalled();
});

test('each problem causes a log line, and all omitted fields cause one count', () => {
  clientData.read({ fields: [{}, 7, null], lastFieldId: 'x' }, 'demo');
  expect(vi.mocked(logger.error).mock.calls).toEqual(
    ['fields[0]', 'fields[1]', 'fields[2]', 'lastFieldId'].map((start) => [
      'Configuration to correct',
      { clientId: 'demo', problem: expect.stringContaining(start) },
    ]),
  );
  expect(count).toHaveBeenCalledExactlyOnceWith('FieldsLeftOut', 3, { clientId: 'demo' });
});

test('a problem that omits no field is not counted', () => {
  clientData.read({ fields: [], lastFieldId: 'x' }, 'demo');
  expect(logger.error).toHaveBeenCalledOnce();
  expect(count).not.toHaveBeenCalled();
});
