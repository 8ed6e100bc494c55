import { createServer, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { WRITES } from '../dynamodb/streaming-database.ts';
import type { Fault, FaultSwitch } from '../fault-switch.ts';

/** The effect of a fault on a call of AWS: its connection is cut, or it waits. */
type Disturbance = 'cut' | 'delayed' | undefined;

/** A timeout in milliseconds. The functions give up earlier. */
const DELAY_MS = 5000;

/**
 * Creates what functions reach in place of the servers of AWS: it has the current fault. Commands
 * reach the originals.
 */
export function createFronts(
  faults: FaultSwitch,
  { keys, database, queue }: Readonly<Record<'keys' | 'database' | 'queue', Server>>,
) {
  const cutIn = (...names: Fault[]) => (names.includes(faults.fault) ? 'cut' : undefined);
  const slow = () => (faults.fault === 'dynamodb-slow' ? 'delayed' : undefined);
  const configs = createFront(database, (operation) =>
    operation === 'GetItem' ? (cutIn('configs-down') ?? slow()) : slow(),
  );
  return {
    keys: createFront(keys, () => cutIn('keys-down')),
    configs,
    promoEvents: createFront(configs, (operation) =>
      WRITES.includes(operation) ? cutIn('table-down', 'queue-down') : undefined,
    ),
    queue: createFront(queue, () => cutIn('queue-down')),
  };
}

/** Creates a server that forwards to another one, as far as its fault permits. */
function createFront(server: Server, disturbanceOn: (operation: string) => Disturbance): Server {
  return createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    const effect = disturbanceOn(operation);
    if (effect === 'delayed') await setTimeout(DELAY_MS, undefined, { ref: false });
    // A caller that has given up sends no body any more.
    if (effect === 'cut' || request.destroyed || !server.listening) response.destroy();
    else server.emit('request', request, response);
  });
}
