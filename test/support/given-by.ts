import type { RawItem } from '../../core/client-attributes.ts';
import { readClient } from '../../core/clients/read-client.ts';
import type { DeviceIds } from '../../core/clients/rollout-groups.ts';
import { readRolledOut } from '../../functions/get-config/served-configuration.ts';

/** Returns what getConfig gives a device whose client has an item. */
export function givenBy(item: RawItem, device: DeviceIds) {
  const { version, group } = readRolledOut(readClient(item), () => {})(device);
  return { version, group };
}
