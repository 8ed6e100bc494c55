import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';
import type { Finding } from '../finding.ts';
import { counted } from '../text.ts';

/*
 * A rollout serves another configuration, the candidate, to some of a client's devices. A person
 * moves its share; nothing advances by itself. `clients/rollout-devices.ts` chooses the devices:
 * not here, because browsers have no hash of Node.
 */

/** The most named devices. More devices are a share. */
const MOST_DEVICES = 100;

const Devices = v.pipe(
  v.union([v.array(v.string()), v.set(v.string())]),
  v.transform((devices): readonly string[] => [...devices]),
  v.maxLength(MOST_DEVICES),
);

const StoredRollout = v.object({
  /** A random UUID, so that rollouts choose devices independently. */
  id: v.pipe(v.string(), v.nonEmpty()),
  fields: v.array(v.unknown()),
  /** The share of the devices that get the candidate: 0 to 100, with two decimals. */
  percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  /** Devices that get it whatever the share is, by their installation id or `Device-Id`. */
  devices: v.optional(Devices, []),
  /** The digest of the live configuration that the candidate was based on. */
  base: v.optional(v.string()),
});

/** The attributes inside `rollout`. */
export const ATTRIBUTES_IN_ROLLOUT: readonly string[] = [
  ...Object.keys(StoredRollout.entries),
  'lastFieldId',
  'language',
];

/** The right value of each attribute. */
const RIGHT: Readonly<Record<string, string>> = {
  id: 'must be a string that is not empty',
  fields: 'must be a list of fields',
  percent: 'must be a number from 0 to 100',
  devices: `must be a list of at most ${MOST_DEVICES} ids`,
  base: 'must be a string, or missing',
};

/** The rollout of a client, without its candidate. */
export type Rollout = Readonly<Omit<v.InferOutput<typeof StoredRollout>, 'fields'>>;

/** The part of a rollout that chooses devices. */
export type RolloutShare = Pick<Rollout, 'id' | 'percent' | 'devices'>;

/** A rollout without its candidate, of which it has the digest. */
export type RecordedRollout = RolloutShare & { readonly digest: string };

/** The attribute `rollout` of an item, or why it is not served; neither if there is none. */
interface ReadRollout {
  readonly rollout?: Rollout;
  readonly damage?: Pick<Finding, 'path' | 'message'>;
}

/** Reads the rollout of a client. Never throws. */
export function readRollout({ rollout: stored }: ConfigsItem): ReadRollout {
  if (stored === undefined) return {};
  const { issues, output } = v.safeParse(StoredRollout, stored);
  if (issues) {
    const names = (issues[0].path ?? []).slice(0, 1).map(({ key }) => String(key));
    const message = RIGHT[names.join()] ?? 'must be a map with id, fields and percent';
    return { damage: { path: ['rollout', ...names], message } };
  }
  const { fields: _, ...rollout } = output;
  return { rollout };
}

/** True for a rollout at 0 %: named devices get its candidate, and nothing waits for its end. */
export function isPreview({ percent }: Pick<Rollout, 'percent'>): boolean {
  return percent === 0;
}

/** Says which devices get a candidate: `5 % of the devices and 2 named ones`. */
export function shareText({
  percent,
  devices,
}: {
  readonly percent: number;
  readonly devices: { readonly length: number };
}): string {
  const named = counted(devices.length, 'named device');
  if (percent === 0) return devices.length > 0 ? named : 'no device';
  return `${percent} % of the devices${devices.length > 0 ? ` and ${named}` : ''}`;
}
