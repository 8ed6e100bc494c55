import { devicesIn } from 'customer-data-api/configuration';
import { suggested, UsageError } from 'customer-data-api-deployment/program';
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

/** Says what a rollout to 100 % is not yet; [] for any other share. */
export function atFullShare(clientId: string, { percent }: Pick<NewRollout, 'percent'>): string[] {
  if (percent < 100) return [];
  const finish = suggested('rollout', 'finish', clientId, '-m', 'REASON');
  return [
    `Phones that send no id keep the live configuration. To give the candidate to all: ${finish}`,
  ];
}
