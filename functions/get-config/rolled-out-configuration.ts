import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { type DeviceIds, groupsOf, type RolloutGroup } from '../../core/clients/rollout-groups.ts';
import { readRollout } from '../../core/configuration/rollout.ts';
import { contentDigest, contentOf } from '../../core/history/content-digest.ts';
import { type LocalizedConfiguration, readLocalized } from './localized-configuration.ts';

/** The configuration that a device gets. */
interface ChosenConfiguration {
  readonly configuration: LocalizedConfiguration;
  /** During a rollout, the digest of the stored content. */
  readonly version?: string;
  readonly group?: RolloutGroup | undefined;
}

/** Chooses the configuration of a client for a device. */
type ChooseConfiguration = (device: DeviceIds) => ChosenConfiguration;

/**
 * Reads the configuration of a client and, during a rollout, the candidate. Both are read once.
 *
 * @param grow counts the bytes of a translation.
 * @param raw the item in DynamoDB's JSON, for the digests.
 */
export function readRolledOut(
  item: ConfigsItem,
  grow: (bytes: number) => void,
  raw: Readonly<Record<string, AttributeValue>>,
): ChooseConfiguration {
  const live: ChosenConfiguration = { configuration: readLocalized(item, grow) };
  const rollout = readRollout(item);
  if (!rollout) return () => live;
  const liveVersion = contentDigest(contentOf(raw));
  const candidate = {
    configuration: readLocalized({ ...rollout }, grow),
    version: contentDigest(contentOf(raw.rollout?.M ?? {})),
  };
  const groupOf = groupsOf(rollout);
  return (device) => {
    const group = groupOf(device);
    return group === 'candidate'
      ? { ...candidate, group }
      : { ...live, version: liveVersion, group };
  };
}
