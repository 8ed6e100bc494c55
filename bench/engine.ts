/**
 * Runs DynamoDB and the issuer of tokens in a process of their own, so that what they take is nobody's figure. Started
 * with a cloud assembly and a folder for its outputs; ends with its parent.
 */
import { startLocalServer } from '../local/server.ts';
import { readCloudAssembly } from '../local/synthesize.ts';

const [assembly = '', folder = ''] = process.argv.slice(2);
await startLocalServer(await readCloudAssembly(assembly), { port: 0, folder, log: () => {} });
process.on('disconnect', () => process.exit());
process.send?.('ready');
