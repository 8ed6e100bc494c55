/** Tests the console in Chromium. */
import { findBrowser } from 'customer-data-api/testing/browser';
import { runTests, testProgram } from 'customer-data-api/testing/run-tests';

await testProgram(
  'test:console',
  async () => ((await findBrowser()) ? [] : ['Chromium']),
  async ({ length }) => {
    if (length === 0) await runTests('packages/console/test/browser');
  },
);
