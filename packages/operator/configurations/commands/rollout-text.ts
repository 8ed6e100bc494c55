import { counted } from 'customer-data-api/configuration';
import type { NewRollout } from '../rollouts.ts';

/** Says which devices get a candidate: `5 % of the devices and 2 named ones`. */
export function shareText({ percent, devices }: NewRollout): string {
  const named = counted(devices.length, 'named device');
  if (percent === 0) return devices.length > 0 ? named : 'no device';
  return `${percent} % of the devices${devices.length > 0 ? ` and ${named}` : ''}`;
}
