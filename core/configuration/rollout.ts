import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';
import type { Finding } from '../finding.ts';
import { readField } from './read-field.ts';

/*
 * A rollout serves another configuration, the candidate, to some of a client's devices. A person
 * moves its share; nothing advances by itself.
 */

/** The most named devices: each request of a device compares them. */
export const MOST_DEVICES = 100;

const Devices = v.pipe(
  v.union([v.array(v.string()), v.set(v.string())]),
  v.transform((devices): readonly string[] => [...devices]),
  v.maxLength(MOST_DEVICES),
);

const StoredRollout = v.object({
  /** A random UUID, so that rollouts choose devices independently. */
  id: v.pipe(v.string(), v.nonEmpty()),
  fields: v.array(v.unknown()),
  lastFieldId: v.optional(v.unknown()),
  language: v.optional(v.unknown()),
  /** The share of the devices that get the candidate: 0 to 100, with two decimals. */
  percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  /** Devices that get it whatever the share is, by their installation id or `Device-Id`. */
  devices: v.optional(Devices, []),
  /** The CloudWatch alarm that stops the rollout. */
  alarm: v.optional(v.string()),
  /** The digest of the live configuration that the candidate was based on. */
  base: v.optional(v.string()),
});

/** The attribute `rollout` of a client's item. */
export type Rollout = Readonly<v.InferOutput<typeof StoredRollout>>;

/** What chooses a device. */
export type RolloutShare = Pick<Rollout, 'id' | 'percent' | 'devices'>;

/** Reads the rollout of a client; undefined if there is none, or it is damaged. Never throws. */
export function readRollout({ rollout }: ConfigsItem): Rollout | undefined {
  const { success, output } = v.safeParse(StoredRollout, rollout);
  return success ? output : undefined;
}

/** Finds a rollout that is not served. */
export function rolloutFindings(item: ConfigsItem): Finding[] {
  const { rollout, rolloutAlarm } = item;
  if (rollout === undefined) return [];
  const { issues, output } = v.safeParse(StoredRollout, rollout);
  const path = ['rollout', ...(issues?.[0].path ?? []).map(({ key }) => String(key))];
  const finding = { severity: 'warning', code: 'invalidRollout' } as const;
  if (issues) return [{ ...finding, path, message: 'is invalid, so nobody gets the candidate' }];
  const { alarm, fields } = output as Rollout;
  const findings: Finding[] = [];
  const wrong = fields.findIndex((field) => readField(field).error);
  if (wrong >= 0) {
    const message = 'has an error, so the devices with the candidate do not get it';
    findings.push({ ...finding, path: ['rollout', 'fields', wrong], message });
  }
  if (alarm !== rolloutAlarm) {
    const message = 'differs from rolloutAlarm, so this alarm does not stop the rollout';
    findings.push({ ...finding, path: ['rollout', 'alarm'], message });
  }
  return findings;
}
