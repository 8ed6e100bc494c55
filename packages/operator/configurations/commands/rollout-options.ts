import { InvalidArgumentError, Option } from 'commander';
import { MOST_DEVICES } from 'customer-data-api/configuration';
import { parseDevice, parsePercent } from '../parse-share.ts';

/** Reads a share. */
export function readPercent(text: string): number {
  const percent = parsePercent(text);
  if (percent !== undefined) return percent;
  throw new InvalidArgumentError('Write 0 to 100, with at most two decimals.');
}

/** Reads the id of a device. */
export function readDevice(text: string): string {
  const device = parseDevice(text);
  if (device !== undefined) return device;
  throw new InvalidArgumentError('It names no single device.');
}

/** Adds the id of a device to those read before. */
export function readDevices(text: string, before: readonly string[] = []): readonly string[] {
  if (before.length < MOST_DEVICES) return [...before, readDevice(text)];
  throw new InvalidArgumentError(`Name at most ${MOST_DEVICES} devices.`);
}

/** The option of a change that ends the rollout that runs. */
export function stopRolloutOption(): Option {
  return new Option('--stop-rollout', 'discard the candidate of the rollout that runs');
}
