import { createServer } from 'node:http';
import { listen } from 'customer-data-api-deployment/local';
import { afterAll, expect, test, vi } from 'vitest';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { handler } from '../../../functions/heartbeat/handler.ts';
import { startService } from '../../support/service.ts';

/* Lambda counts an invocation that throws as an error, on which the alarm is. */

const service = await startService();
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.stop();
});

const beat = (url: string) => {
  vi.stubEnv('HEARTBEAT_URL', url);
  return handler();
};

test("the service's refusal of a call without a token is a heartbeat", async () => {
  await beat(`${service.outputs.ApiUrl}${getConfig.path}`);
});

test('no other response is one', async () => {
  await expect(beat(`${service.outputs.ApiUrl}/customData/other`)).rejects.toThrow(
    'answered with 404',
  );
  const other = createServer((_, response) => response.writeHead(401).end('{"code":"NoAccess"}'));
  const url = await listen(other);
  await expect(beat(url)).rejects.toThrow('{"code":"NoAccess"}');
  other.close();
  await expect(beat(url)).rejects.toThrow('fetch failed');
});
