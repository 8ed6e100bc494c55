import { startService } from 'customer-data-api/testing/service';
import { deploymentOf } from 'customer-data-api-deployment';
import { startConsole } from '../../server/server.ts';
import { launchBrowser } from './browser.ts';

/** The running service, its console, and a browser. */
export type ConsoleInChromium = Awaited<ReturnType<typeof startConsoleInChromium>>;

/** Starts the service with its console, and a browser. */
export async function startConsoleInChromium() {
  await using started = new AsyncDisposableStack();
  const browser = await launchBrowser();
  started.defer(() => browser.close());
  const service = started.use(await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } }));
  const { outputs } = service;
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs });
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  const console = started.use(await startConsole(deployment, { port: 0, log }));
  const running = started.move();
  return { service, console, browser, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
