import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { type Console, startConsole } from '../../cli/console/server.ts';
import { deploymentOf } from '../../cli/deployment/deployment.ts';
import { findBrowser } from '../support/browser.ts';
import { type Service, startService } from '../support/service.ts';

/** The running service, its console, and a browser. */
export interface ConsoleInChromium extends AsyncDisposable {
  readonly service: Service;
  readonly console: Console;
  readonly browser: Browser;
}

/** Starts the service with its console, and a browser. */
export async function startConsoleInChromium(): Promise<ConsoleInChromium> {
  await using started = new AsyncDisposableStack();
  const program = (await findBrowser()) ?? '';
  const { stdout } = await promisify(execFile)('which', [program]);
  const browser = await chromium.launch({
    executablePath: stdout.trim(),
    // Chromium refuses to run as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  started.defer(() => browser.close());
  const service = started.use(await startService({ CONFIG_CACHE_SECONDS: '0' }));
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs: service.outputs });
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  const console = started.use(await startConsole(deployment, { port: 0, log }));
  const running = started.move();
  return { service, console, browser, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
