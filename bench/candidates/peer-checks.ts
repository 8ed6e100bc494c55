import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('run-peer-checks.ts', import.meta.url));

/**
 * Runs the checks of `./customer-data smoke` on a peer: only a peer that does the same work may be
 * compared.
 *
 * @param peer the name of the candidate.
 * @returns the output of the checks if one of them failed, and `[]` if all passed.
 */
export async function failedChecks(peer: string): Promise<readonly string[]> {
  const child = fork(CHILD, [peer], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(() => [['The checks exited before they were done.']]);
  const [failed] = await Promise.race([once(child, 'message'), exited]);
  return failed;
}
