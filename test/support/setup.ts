import fc from 'fast-check';
import { afterEach, expect } from 'vitest';

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 200);

// A fixed seed makes failures reproducible. FAST_CHECK_SEED sets another one.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_720), numRuns: RUNS });

// For the check that each golden file is one of a test.
afterEach(({ task }) => {
  task.file.meta.comparedFiles = expect.getState().snapshotState.getSnapshotFiles();
});
