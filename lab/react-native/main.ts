/** Tests the form for React Native: its declarations, on iOS and Android, and in Chromium. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runTests, testProgram } from 'customer-data-api/testing/run-tests';
import { findBrowser } from 'customer-data-api-console/testing/browser';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const JEST = here('node_modules/jest/bin/jest.js');
/** The one platform to try, without Chromium; undefined for all of it. */
const { ONLY_PLATFORM } = process.env;

await testProgram(
  'test:react-native',
  async () => [
    ...((await findBrowser()) ? [] : ['Chromium']),
    ...(existsSync(JEST) ? [] : ['Jest']),
  ],
  async (missing) => {
    if (missing.includes('Jest')) return;
    // Jest, as React Native's preset is for it.
    const args = [JEST, ...(ONLY_PLATFORM ? ['--selectProjects', ONLY_PLATFORM] : [])];
    const { status } = spawnSync(process.execPath, args, { cwd: here('.'), stdio: 'inherit' });
    process.exitCode = status ?? 1;
    if (status !== 0) return;
    if (ONLY_PLATFORM) await runTests('lab/react-native', 'declarations', false);
    else await runTests('lab/react-native');
  },
);
