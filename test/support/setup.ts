import fc from 'fast-check';
import { afterEach, expect, vi } from 'vitest';
import { runs } from './runs.ts';
import { WAIT_MS } from './wait.ts';

// A fixed seed makes failures reproducible. FAST_CHECK_SEED sets another one.
const seed = Number(process.env.FAST_CHECK_SEED ?? 20_260_720);
fc.configureGlobal({ seed, numRuns: runs(200) });

// For the check that each golden file is one of a test.
afterEach(({ task }) => {
  task.file.meta.comparedFiles = expect.getState().snapshotState.getSnapshotFiles();
});

// Without a limit of its own, each wait ends as those of `expect.poll` do.
const { waitFor, waitUntil } = vi;
vi.waitFor = (check, options) => waitFor(check, waitOptions(options));
vi.waitUntil = (check, options) => waitUntil(check, waitOptions(options));

function waitOptions(options: Parameters<typeof waitFor>[1] = {}) {
  return typeof options === 'number' ? options : { timeout: WAIT_MS, ...options };
}
