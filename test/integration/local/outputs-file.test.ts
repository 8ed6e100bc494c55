import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { close, listen } from '../../../local/listen.ts';
import {
  expectNoServer,
  type LocalOutputs,
  OUTPUTS_FILE,
  runningOutputs,
  writeOutputs,
} from '../../../local/outputs-file.ts';
import { OUTPUTS } from '../../support/outputs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(() => rm(folder, { recursive: true }));

const outputsAt = (url: string): LocalOutputs => ({
  ...OUTPUTS,
  ...{ RequiresUserPoolClientIds: 'true', RetainsData: 'false', JwksUri: url },
  ...{ DynamoDbEndpoint: url, EventBridgeEndpoint: url, SqsEndpoint: url, FaultEndpoint: url },
});

/** Starts what listens at the port in the file of the folder. */
async function startServer(listener: RequestListener): Promise<LocalOutputs> {
  const server = createServer(listener);
  const outputs = outputsAt(await listen(server));
  onTestFinished(() => close(server));
  await writeOutputs(folder, { 'CustomerDataApi-dev': outputs });
  return outputs;
}

describe('the folder is in use', () => {
  async function expectInUse(outputs: LocalOutputs): Promise<void> {
    await expect(expectNoServer(folder)).rejects.toThrow(
      `A local server is running at ${outputs.ApiUrl}, with its files in ${folder}.`,
    );
    const others = { 'CustomerDataApi-dev': outputsAt('http://127.0.0.1:1') };
    await expect(writeOutputs(folder, others)).rejects.toThrow('A local server is running');
    expect(await runningOutputs(folder)).toEqual(outputs);
    const written = JSON.parse(await readFile(join(folder, OUTPUTS_FILE), 'utf8'));
    expect(written).toEqual({ 'CustomerDataApi-dev': outputs });
  }

  test('while its server runs: another one does not replace its file', async () => {
    await expectInUse(await startServer((_, response) => response.end('{}')));
  });

  test('while its server is suspended, which keeps its port', async () => {
    const outputs = await startServer(() => {});
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shorter = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
    onTestFinished(() => shorter.mockRestore());
    await expectInUse(outputs);
    expect(new Set(shorter.mock.calls.flat())).toEqual(new Set([2000]));
  });
});

describe('the folder is free', () => {
  const expectFree = async () => {
    await expectNoServer(folder);
    await expect(runningOutputs(folder)).rejects.toThrow('The local server is not running.');
  };

  test('if it has no file', expectFree);

  test('if its server was killed', async () => {
    await writeOutputs(folder, { 'CustomerDataApi-dev': outputsAt('http://127.0.0.1:1') });
    await expectFree();
  });

  test('if something else uses the port', async () => {
    await startServer((_, response) => response.writeHead(404).end());
    await expectFree();
  });
});
