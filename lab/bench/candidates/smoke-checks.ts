/**
 * Runs the checks of `./customer-data smoke` on the local stack, with the functions of a peer in
 * place of ours. In a process of its own, because a peer may log past the local server. Arguments:
 * the folder of the cloud assembly, a folder for the state of the local stack, and the folders of
 * the peer's bundles by operation, as JSON. Sends its parent the output of the checks if one of
 * them failed, or `[]`. Exits with its parent.
 */
import { join } from 'node:path';
import { ACCEPT_LANGUAGE } from '../../../functions/http/request-headers.ts';
import { findDeployment } from '../../../packages/deployment/deployment.ts';
import { startLocalServer } from '../../../packages/local/server/server.ts';
import { readCloudAssembly } from '../../../packages/local/synthesize.ts';
import { CHECKS } from '../../../packages/operator/smoke/checks.ts';
import { runSmoke } from '../../../packages/operator/smoke/run.ts';
import { functionOf } from '../environment/environment.ts';
import { OPERATIONS } from './candidate.ts';

const [assembly = '', folder = '', bundles = ''] = process.argv.slice(2);
const folders = JSON.parse(bundles);
const { template, assetFolders, ...stack } = await readCloudAssembly(assembly);
const replaced = new Map(assetFolders);
for (const operation of OPERATIONS) {
  replaced.set(functionOf(template, operation).codeKey, folders[operation]);
}
const printed: string[] = [];
const print = (line: string) => printed.push(line);
const server = await startLocalServer(
  { ...stack, template, assetFolders: replaced },
  { port: 0, folder, log: print },
);
const deployment = await findDeployment({ outputs: join(folder, 'outputs.json') });
const { signal } = new AbortController();
// Peers serve one language. The calls that are compared ask for none.
const checks = CHECKS.filter(({ name }) => !name.includes(ACCEPT_LANGUAGE));
const passed = await runSmoke(deployment, { checks, signal, print, note: print });
await server.stop();
process.on('disconnect', () => process.exit());
process.send?.(passed ? [] : printed);
