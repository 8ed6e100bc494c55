/** Tests the app client in the engines and with the compiler of apps, and its retries at length. */
import { findBrowser } from '../support/browser.ts';
import { runTests, testProgram } from '../support/run-tests.ts';
import { findHermes } from './engines.ts';

await testProgram(
  'test:app-client',
  'Tests the app client in Chromium, in Hermes and with TypeScript 5.0',
  async () => [
    ...((await findBrowser()) ? [] : ['Chromium']),
    ...((await findHermes()) ? [] : ['Hermes']),
  ],
  () => runTests('test/app-client'),
);
