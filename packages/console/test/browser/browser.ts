import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WAIT_MS } from 'customer-data-api/testing/wait';
import { type Browser, chromium } from 'playwright-core';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The first of some programs that runs here; undefined if there is none. */
export async function findProgram(
  programs: readonly string[],
  option: string,
): Promise<string | undefined> {
  for (const program of programs) {
    if (await promisify(execFile)(program, [option]).then(Boolean, () => false)) return program;
  }
  return undefined;
}

export const findBrowser = () => findProgram(BROWSERS, '--version');

/** Options that start the browser of this machine. */
export async function launchOptions() {
  const { stdout } = await promisify(execFile)('which', [(await findBrowser()) ?? '']);
  return {
    executablePath: stdout.trim(),
    // Chromium refuses to run as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
  };
}

/** Starts the browser of this machine. Its pages wait as long as tests do. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch(await launchOptions());
  return browser.on('context', (context) => context.setDefaultTimeout(WAIT_MS));
}
