import { devicesIn } from 'customer-data-api/configuration';
import { OperatorError } from '../errors.ts';

/** Reads a share: 0 to 99.99, with at most two decimals. The end of a rollout gives it to all. */
export function parsePercent(text: string): number | undefined {
  const percent = Number(text);
  return /^\d{1,3}(?:\.\d{1,2})?$/.test(text) && percent < 100 ? percent : undefined;
}

/** Reads the devices that a text names, each in its one form. Throws OperatorError. */
export function parseDevices(text: string): readonly string[] {
  const devices = devicesIn(text);
  if (!('problem' in devices)) return devices;
  const { problem } = devices;
  throw new OperatorError('usage', { mistake: 'invalidDevice', device: text.trim(), problem });
}
