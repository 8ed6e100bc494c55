import {
  bucketKey,
  type DeviceIds,
  groupOf,
  isLockedOut,
  rolloutBucket,
} from 'customer-data-api/clients';
import { listVersions, type Version, type VersionsTable } from 'customer-data-api/history';

/** What a device was served from a time on. */
export interface Served {
  /** The version of that time. */
  readonly version: Version;
  /** True if no App-Id or no app client was permitted, or the client was removed. */
  readonly isRefused: boolean;
  readonly isCandidate: boolean;
  /** During a rollout, the bucket of a device that has one. */
  readonly bucket?: number | undefined;
  readonly group?: 'candidate' | 'control' | undefined;
  /** True if it gets the candidate by its name, whatever the share. */
  readonly isNamed?: boolean;
}

/**
 * Computes from the history what a device was served at a time, newest first: more than one if the
 * configuration changed within the time for which functions keep a copy.
 *
 * @param device the ids that its app sends.
 */
export async function servedTo(
  versions: VersionsTable,
  clientId: string,
  device: DeviceIds,
  at: Date,
  cacheSeconds: number,
): Promise<Served[]> {
  const served: Served[] = [];
  // DynamoDB says the second in which it accepted a change.
  const oldest = at.getTime() - (cacheSeconds + 1) * 1000;
  for await (const version of listVersions(versions, clientId)) {
    const time = Date.parse(version.at);
    if (time > at.getTime()) continue;
    served.push(servedBy(version, device));
    if (time <= oldest) break;
  }
  return served;
}

function servedBy(version: Version, device: DeviceIds): Served {
  const { rollout, access, isDeleted } = version;
  const isRefused =
    isDeleted === true || isLockedOut(access.fingerprints, access.userPoolClientIds);
  if (!rollout || isRefused) return { version, isRefused, isCandidate: false };
  const group = groupOf(rollout, device);
  const key = bucketKey(device);
  const bucket = key === undefined ? undefined : rolloutBucket(rollout.id, key);
  const isNamed = groupOf({ ...rollout, percent: 0 }, device) === 'candidate';
  return {
    version,
    isRefused,
    isCandidate: group === 'candidate',
    bucket,
    group,
    ...(isNamed && { isNamed }),
  };
}
