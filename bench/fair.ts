/**
 * Runs the checks of `npm run smoke` on the stack with the handlers of one peer in place of ours, in a process of its own, since
 * what the peer logs is of no interest. Tells its parent what was printed of checks that do not hold.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSmoke } from '../cli/smoke/run.ts';
import { startLocalServer } from '../local/server.ts';
import { synthesize } from '../local/synthesize.ts';
import { bundled, type Contestant, MIDDY, OPERATIONS, PEERS } from './candidates.ts';

const peer = [...PEERS, MIDDY].find(({ name }) => name === process.argv[2]);
process.send?.(peer ? await failedChecks(peer) : ['There is no such peer.']);
process.disconnect?.();

async function failedChecks(contestant: Contestant): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const printed: string[] = [];
  try {
    const { template, assetFolders, ...stack } = await synthesize(join(folder, 'cdk.out'));
    const replaced = new Map(assetFolders);
    for (const operation of OPERATIONS) {
      const { codeKey } =
        template
          .functions()
          .find(({ environment }) => environment.POWERTOOLS_SERVICE_NAME === operation) ?? {};
      if (!codeKey) throw new Error(`The stack has no function ${operation}.`);
      replaced.set(codeKey, (await bundled(contestant, operation, folder)).folder);
    }
    const server = await startLocalServer(
      { ...stack, template, assetFolders: replaced },
      { port: 0, folder, log: (line) => printed.push(line) },
    );
    try {
      const { signal } = new AbortController();
      const print = (line: string) => printed.push(line);
      const outputsFile = join(folder, 'outputs.json');
      const isGood = await runSmoke({ outputsFile, signal, print });
      return isGood ? [] : printed;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
