/**
 * Setup of the unit tests. A file that replaces modules begins with new ones, and leaves none of
 * its own to the next file.
 */
import { afterAll, expect, vi } from 'vitest';

if (expect.getState().testPath?.endsWith('.mocked.test.ts')) {
  vi.resetModules();
  afterAll(() => {
    vi.resetModules();
  });
}
