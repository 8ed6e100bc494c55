/** Lets Bombadil explore the console by itself. */

import { existsSync } from 'node:fs';
import { runTests, testProgram } from 'customer-data-api/testing/run-tests';
import { findBrowser } from 'customer-data-api-console/testing/browser';
import { BOMBADIL } from './files.ts';

await testProgram(
  'explore',
  async () => [
    ...((await findBrowser()) ? [] : ['Chromium']),
    ...(existsSync(BOMBADIL) ? [] : ['Bombadil']),
  ],
  async ({ length }) => {
    if (length === 0) await runTests('lab/explorer');
  },
);
