import { InvalidArgumentError, Option } from 'commander';
import { normalDevice } from 'customer-data-api/clients';

/** Reads a share: 0 to 100, with at most two decimals. */
export function readPercent(text: string): number {
  if (/^\d{1,3}(?:\.\d{1,2})?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError('Write 0 to 100, with at most two decimals.');
}

/** Reads the id of a device: a UUID becomes lower case. */
export function readDevice(text: string): string {
  const device = normalDevice(text);
  if (device !== undefined && device.length <= 128) return device;
  throw new InvalidArgumentError('It names no single device.');
}

/** Adds the id of a device to those read before. */
export function readDevices(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readDevice(text)];
}

/** The option of a change that ends the rollout that runs. */
export function stopRolloutOption(): Option {
  return new Option('--stop-rollout', 'discard the candidate of the rollout that runs');
}
