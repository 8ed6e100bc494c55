import { Session } from 'node:inspector/promises';

/**
 * Counts the steps of a task: the calls of functions that are no package's, as V8 counts them. They
 * are the same on each machine and under any load, while its time is not.
 */
export async function countSteps(task: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await task();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.includes('/') && !/node_modules|^node:/.test(url))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}
