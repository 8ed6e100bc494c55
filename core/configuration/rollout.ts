import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';
import type { Finding } from '../finding.ts';
import { readField } from './read-field.ts';

/*
 * A rollout serves another configuration, the candidate, to some of a client's devices. A person
 * moves its share; nothing advances by itself.
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

/** What would be right for each attribute. */
const RIGHT: Readonly<Record<string, string>> = {
  id: 'must be a string that is not empty',
  fields: 'must be a list of fields',
  percent: 'must be a number from 0 to 100',
  devices: `must be a list of at most ${MOST_DEVICES} ids`,
  alarm: 'must be a string, or missing',
  base: 'must be a string, or missing',
};

/** The attribute `rollout` of a client's item. */
export type Rollout = Readonly<v.InferOutput<typeof StoredRollout>>;

/** What chooses a device. */
export type RolloutShare = Pick<Rollout, 'id' | 'percent' | 'devices'>;

/** Reads the rollout of a client; undefined if there is none, or it is damaged. Never throws. */
export function readRollout({ rollout }: ConfigsItem): Rollout | undefined {
  const { success, output } = v.safeParse(StoredRollout, rollout);
  return success ? output : undefined;
}

/** Explains why a stored rollout is not read, by what would be right; undefined if it is read. */
export function rolloutProblem(rollout: unknown): Pick<Finding, 'path' | 'message'> | undefined {
  const { issues } = v.safeParse(StoredRollout, rollout);
  if (!issues) return undefined;
  const names = (issues[0].path ?? []).slice(0, 1).map(({ key }) => String(key));
  const message = RIGHT[names.join()] ?? 'must be a map with id, fields and percent';
  return { path: ['rollout', ...names], message };
}

/** Finds a rollout that is not served. */
export function rolloutFindings(item: ConfigsItem): Finding[] {
  if (item.rollout === undefined) return [];
  const finding = { severity: 'warning', code: 'invalidRollout' } as const;
  const rollout = readRollout(item);
  if (!rollout) {
    const { path = [], message } = rolloutProblem(item.rollout) ?? {};
    return [{ ...finding, path, message: `${message}; nobody gets the candidate` }];
  }
  const { alarm, fields } = rollout;
  const findings: Finding[] = [];
  const wrong = fields.findIndex((field) => readField(field).error);
  if (wrong >= 0) {
    const message = 'has an error, so the devices with the candidate do not get it';
    findings.push({ ...finding, path: ['rollout', 'fields', wrong], message });
  }
  if (alarm !== item.rolloutAlarm) {
    const message = 'differs from rolloutAlarm, so this alarm does not stop the rollout';
    findings.push({ ...finding, path: ['rollout', 'alarm'], message });
  }
  return findings;
}
