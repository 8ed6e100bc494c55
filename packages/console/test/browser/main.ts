/** Tests the console in Chromium. */

import { runTests, testProgram } from 'customer-data-api/testing/run-tests';
import { findBrowser } from './browser.ts';

await testProgram(
  'test:console',
  async () => ((await findBrowser()) ? [] : ['Chromium']),
  async ({ length }) => {
    if (length === 0) await runTests('packages/console/test/browser');
  },
);
