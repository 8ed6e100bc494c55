import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { startFaultProxy } from 'customer-data-api/testing/fault-proxy';
import { startService } from 'customer-data-api/testing/service';
import { startConsole } from 'customer-data-api-console';
import { deploymentOf } from 'customer-data-api-deployment';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { BOMBADIL, file } from './files.ts';

/** The trace of Bombadil, with which it can repeat its steps. */
const TRACE = file('build');
const { EXPLORE_SECONDS = '60' } = process.env;
const OPTIONS = ['--headless', '--exit-on-violation', '--time-limit', `${EXPLORE_SECONDS}s`];
// Chromium refuses to run as root with its sandbox.
if (process.getuid?.() === 0) OPTIONS.push('--no-sandbox');

test('whatever is pressed and typed, and whichever save fails, each state of the console has its properties', async () => {
  await using service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
  const { fields } = parse(PIZZA);
  const appIds = new Set(['demo-app-key']);
  await service.putConfig({ clientId: 'pizza', fields, lastFieldId: 3, appIds });
  const proxy = await startFaultProxy();
  proxy.target = service.outputs.DynamoDbEndpoint;
  let writes = 0;
  proxy.faultOf = ({ operation }) =>
    /^(Delete|Put|Update)/.test(operation) && ++writes % 2 === 0 ? 'not permitted' : undefined;
  const outputs = { ...service.outputs, DynamoDbEndpoint: proxy.url };
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs });
  await using console = await startConsole(deployment, { port: 0, log: () => {} });

  await rm(TRACE, { recursive: true, force: true });
  const places = ['--output-path', TRACE, console.url, file('specification.ts')];
  const { failure, log } = await run(['browser', 'test', ...OPTIONS, ...places]);
  const steps = log.replaceAll(/^\[.* WARN .*\n/gm, '');
  expect(failure, steps).toBe(null);
  process.stdout.write(steps);
  await proxy.stop();
});

function run(args: readonly string[]) {
  return new Promise<{ readonly failure: Error | null; readonly log: string }>((resolve) => {
    const done = (failure: Error | null, output: string, log: string) =>
      resolve({ failure, log: `${output}${log}` });
    execFile(BOMBADIL, args, { timeout: 120_000 }, done);
  });
}
