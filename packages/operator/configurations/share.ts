import { counted, devicesIn } from 'customer-data-api/configuration';
import { UsageError } from 'customer-data-api-deployment/program';
import type { NewRollout } from './rollouts.ts';

/** Reads a share: 0 to 100, with at most two decimals. */
export function parsePercent(text: string): number | undefined {
  const percent = Number(text);
  return /^\d{1,3}(?:\.\d{1,2})?$/.test(text) && percent <= 100 ? percent : undefined;
}

/** Reads the devices that a text names, each in its one form. Throws UsageError. */
export function parseDevices(text: string): readonly string[] {
  const devices = devicesIn(text);
  if (!('problem' in devices)) return devices;
  throw new UsageError(`The device ${JSON.stringify(text.trim())} ${devices.problem}.`);
}

/** Says which devices get a candidate: `5 % of the devices and 2 named ones`. */
export function shareText({ percent, devices }: NewRollout): string {
  const named = counted(devices.length, 'named device');
  if (percent === 0) return devices.length > 0 ? named : 'no device';
  return `${percent} % of the devices${devices.length > 0 ? ` and ${named}` : ''}`;
}
