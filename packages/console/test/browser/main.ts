/** Tests the console in Chromium: all of it, or files that an argument names, such as `edits`. */

import { runTests, testProgram } from 'customer-data-api/testing/run-tests';
import { findBrowser } from './browser.ts';

const [files] = process.argv.slice(2).filter((word) => !word.startsWith('--'));

await testProgram(
  'test:console',
  async () => ((await findBrowser()) ? [] : ['Chromium']),
  async ({ length }) => {
    if (length === 0) await runTests('packages/console/test/browser', files);
  },
);
