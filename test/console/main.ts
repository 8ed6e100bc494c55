/** Tests the console in Chromium. */
import { findBrowser } from '../support/browser.ts';
import { runTests, testProgram } from '../support/run-tests.ts';

await testProgram(
  'test:console',
  'Tests the console in Chromium',
  async () => ((await findBrowser()) ? [] : ['Chromium']),
  async ({ length }) => {
    if (length === 0) await runTests('test/console');
  },
);
