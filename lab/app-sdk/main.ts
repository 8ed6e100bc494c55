/** Tests the app SDK in the engines and with the compiler of apps, and its retries at length. */

import { runTests, testProgram } from 'customer-data-api/testing/run-tests';
import { findBrowser } from 'customer-data-api-console/testing/browser';
import { findHermes } from './engines.ts';

await testProgram(
  'test:app-sdk',
  async () => [
    ...((await findBrowser()) ? [] : ['Chromium']),
    ...((await findHermes()) ? [] : ['Hermes']),
  ],
  () => runTests('lab/app-sdk'),
);
