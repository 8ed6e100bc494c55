/**
 * Runs the checks of `./customer-data smoke` on the local stack, with the handlers of one peer in
 * place of ours. It is a child process, so that the log lines of the peer can be discarded. Sends
 * its parent the output of the checks if one of them failed, or `[]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSmoke } from '../../cli/commands/smoke/run.ts';
import { findDeployment } from '../../cli/deployment/deployment.ts';
import { startLocalServer } from '../../local/server/server.ts';
import { synthesize } from '../../local/synthesize.ts';
import { bundleOperation, type Candidate, OPERATIONS } from './candidate.ts';
import { MIDDY, PEERS } from './candidates.ts';

const peer = [...PEERS, MIDDY].find(({ name }) => name === process.argv[2]);
process.send?.(peer ? await failedChecks(peer) : ['There is no such peer.']);
process.disconnect?.();

async function failedChecks(candidate: Candidate): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  try {
    const { template, assetFolders, ...stack } = await synthesize(join(folder, 'cdk.out'));
    const replaced = new Map(assetFolders);
    for (const operation of OPERATIONS) {
      const { codeKey } =
        template
          .functions()
          .find(({ environment }) => environment.POWERTOOLS_SERVICE_NAME === operation) ?? {};
      if (!codeKey) throw new Error(`The stack has no function ${operation}.`);
      replaced.set(codeKey, (await bundleOperation(candidate, operation, folder)).folder);
    }
    const server = await startLocalServer(
      { ...stack, template, assetFolders: replaced },
      { port: 0, folder, log: print },
    );
    try {
      const { signal } = new AbortController();
      const deployment = await findDeployment({ outputs: join(folder, 'outputs.json') });
      const passed = await runSmoke(deployment, { signal, print, note: print });
      return passed ? [] : printed;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
