/**
 * Runs DynamoDB and the token issuer in a process of their own, so that their CPU time is not
 * counted as a candidate's. Arguments: the folder of the cloud assembly and the folder for the
 * outputs. Exits with its parent.
 */
import { startLocalServer } from '../../../packages/local/server/server.ts';
import { readCloudAssembly } from '../../../packages/local/synthesize.ts';

const [assembly = '', folder = ''] = process.argv.slice(2);
await startLocalServer(await readCloudAssembly(assembly), {
  port: 0,
  folder,
  // DynamoDB makes stream records after a write, not as part of it.
  hasStreams: false,
  log: () => {},
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
