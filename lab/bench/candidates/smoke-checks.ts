/**
 * Runs the checks of `./customer-data smoke` on the local stack, with the functions of a peer in
 * place of ours. In a process of its own, because a peer may log past the local server. Arguments:
 * the folder of the cloud assembly, a folder for the state of the local stack, and the folders of
 * the peer's bundles by operation, as JSON. Sends its parent the output of the checks if one of
 * them failed, or `[]`. Exits with its parent.
 */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../../packages/command-line/command-line.ts';
import { startLocalServer } from '../../../packages/local/server/server.ts';
import { readCloudAssembly } from '../../../packages/local/synthesize.ts';
import { functionOf } from '../environment/environment.ts';
import { OPERATIONS } from './candidate.ts';

const [assembly = '', folder = '', bundles = ''] = process.argv.slice(2);
const folders = JSON.parse(bundles);
const { template, assetFolders, ...stack } = await readCloudAssembly(assembly);
const replaced = new Map(assetFolders);
for (const operation of OPERATIONS) {
  replaced.set(functionOf(template, operation).codeKey, folders[operation]);
}
const output = new PassThrough();
const printed = text(output);
const print = (line: string) => output.write(`${line}\n`);
const server = await startLocalServer(
  { ...stack, template, assetFolders: replaced },
  { port: 0, folder, log: print },
);
const words = ['smoke', '--outputs', join(folder, 'outputs.json')];
const terminal = { stdin: new PassThrough(), stdout: output, stderr: output };
const code = await runCommandLine(words, terminal);
await server.stop();
output.end();
process.on('disconnect', () => process.exit());
const lines = (await printed).split('\n');
process.send?.(code === 0 ? [] : lines);
