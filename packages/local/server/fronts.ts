import type { Server } from 'node:http';
import { WRITES } from '../dynamodb/streaming-database.ts';
import { createFront, type Fault, type FaultSwitch } from '../fault-switch.ts';

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
