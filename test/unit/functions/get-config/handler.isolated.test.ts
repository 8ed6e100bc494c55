import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReadConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { count } from '../../../../core/platform/metrics.ts';
import { type ApiHandlerOptions, apiHandler } from '../../../../functions/api/api-handler.ts';
import { ENVIRONMENT, type GetConfigRequest } from '../../../../functions/get-config/operation.ts';

vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));
vi.mock('../../../../functions/api/api-handler.ts', () => ({ apiHandler: vi.fn() }));

type Options = ApiHandlerOptions<typeof GetConfigRequest, ReadConfiguration>;

let clientData: Options['clientData'];
let operation: ReturnType<Options['operation']>;
beforeEach(async () => {
  for (const name of [...ENVIRONMENT, 'AWS_REGION']) vi.stubEnv(name, '1');
  vi.stubEnv('REQUIRE_USER_POOL_CLIENT_IDS', 'true');
  vi.resetModules();
  await import('../../../../functions/get-config/handler.ts');
  const [options] = vi.mocked(apiHandler).mock.lastCall ?? [];
  const made = options as unknown as Options;
  clientData = made.clientData;
  operation = made.operation({} as DynamoDBDocumentClient);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

/** Answers a request of a client whose item has these attributes. Returns the data and the warnings. */
async function answer(item: object) {
  const warnings: string[] = [];
  const event = {
    request: { clientId: 'demo' },
    client: { data: clientData({ ...item }) },
    warnings,
  };
  const data = await operation(event as unknown as Parameters<typeof operation>[0], {} as Context);
  return { data, warnings };
}

test('a valid configuration causes no warning and no metric', async () => {
  expect(await answer({ fields: [], lastFieldId: 0 })).toEqual({
    data: { fields: [], lastFieldId: 0 },
    warnings: [],
  });
  expect(count).not.toHaveBeenCalled();
});

test('each response counts the fields that it omits, and has a warning', async () => {
  const { warnings } = await answer({ fields: [{}, 7, null], lastFieldId: 'x' });
  expect(warnings).toEqual([expect.stringContaining('3 fields were left out')]);
  expect(count).toHaveBeenCalledExactlyOnceWith('FieldsLeftOut', 3);
});

test('a problem that omits no field is not counted', async () => {
  await answer({ fields: [], lastFieldId: 'x' });
  expect(count).not.toHaveBeenCalled();
});
