import { hash } from 'node:crypto';
import type { RolloutShare } from '../configuration/rollout.ts';
import { normalDevice, normalInstallation } from '../device.ts';

/* Which devices get the candidate of a rollout, which `configuration/rollout.ts` reads. */

/** The ids that a device sends. */
export interface DeviceIds {
  /** The id that an app made for its installation. Undefined if it sends none. */
  readonly installationId?: string | undefined;
  readonly deviceId?: string | undefined;
}

/** The number of buckets: a hundredth of a percent each. */
const BUCKETS = 10_000;

/** Returns the bucket of a device: the start of SHA-256(`id:key`), modulo 10,000. */
export function rolloutBucket(id: string, key: string): number {
  return Number.parseInt(hash('sha256', `${id}:${key}`).slice(0, 8), 16) % BUCKETS;
}

/**
 * Returns the id that chooses the bucket of a device; undefined for a device in no share.
 * An installation id decides even if it is none: a phone would else change sides once it has one.
 */
export function bucketKey({ installationId, deviceId }: DeviceIds): string | undefined {
  return installationId === undefined ? normalDevice(deviceId) : normalInstallation(installationId);
}

/**
 * Reads a rollout for many devices. The result is true for a device that gets the candidate: a
 * named one, or one of the share. A device without an id gets it only if it is named.
 */
export function candidateRule({ id, percent, devices }: RolloutShare) {
  const named = new Set(devices.map(normalDevice));
  const isNamed = (device?: string) => device !== undefined && named.has(device);
  const share = bucketsOf(percent);
  return (device: DeviceIds): boolean => {
    const key = bucketKey(device);
    // An app that sends the id of its installation sends another one for the phone.
    const phone = device.installationId === undefined ? key : normalDevice(device.deviceId);
    if (isNamed(key) || isNamed(phone)) return true;
    return key !== undefined && rolloutBucket(id, key) < share;
  };
}

/** True if the candidate of a rollout may reach a device. */
export function reachesDevices({ percent, devices }: Omit<RolloutShare, 'id'>): boolean {
  return bucketsOf(percent) > 0 || devices.some((named) => normalDevice(named) !== undefined);
}

/** Returns how many buckets a share has. */
function bucketsOf(percent: number): number {
  return Math.round(percent * (BUCKETS / 100));
}
