import { InvalidArgumentError, Option } from 'commander';
import { parseDevices, parsePercent } from '../share.ts';

/** Reads a share. */
export function readPercent(text: string): number {
  const percent = parsePercent(text);
  if (percent !== undefined) return percent;
  throw new InvalidArgumentError('Write 0 to 100, with at most two decimals.');
}

/** Reads the id of a single device. */
export function readDevice(text: string): string {
  const [device = '', ...others] = parseDevices(text);
  if (others.length === 0) return device;
  throw new InvalidArgumentError('Name one device.');
}

/** Adds the devices that a text names to those read before. */
export function readDevices(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...parseDevices(text)];
}

/** The option of a change that ends the rollout that runs. */
export function stopRolloutOption(): Option {
  return new Option('--stop-rollout', 'discard the candidate of the rollout that runs');
}
