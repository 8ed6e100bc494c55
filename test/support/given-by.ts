import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readItem } from '../../core/aws/attribute-values.ts';
import type { DeviceIds } from '../../core/clients/rollout-groups.ts';
import { readRolledOut } from '../../functions/get-config/served-configuration.ts';

/** Returns what getConfig gives a device whose client has an item. */
export function givenBy(item: Readonly<Record<string, AttributeValue>>, device: DeviceIds) {
  const { version, group } = readRolledOut(readItem(item), () => {}, item)(device);
  return { version, group };
}
