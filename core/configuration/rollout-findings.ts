import type { ConfigsItem } from '../client-attributes.ts';
import type { Finding } from '../finding.ts';
import { readField } from './read-field.ts';
import { readRollout } from './rollout.ts';
import { listOf } from './stored-map.ts';

/** Finds a rollout that is not served, or that an alarm does not stop as was intended. */
export function rolloutFindings(item: ConfigsItem): Finding[] {
  const finding = { severity: 'warning', code: 'invalidRollout' } as const;
  const { rollout, damage } = readRollout(item);
  if (damage) {
    return [{ ...finding, ...damage, message: `${damage.message}; nobody gets the candidate` }];
  }
  const { fields, alarm } = rollout?.candidate ?? {};
  const findings: Finding[] = [];
  const wrong = listOf(fields).findIndex((field) => readField(field).error);
  if (wrong >= 0) {
    const message = 'has an error, so the devices with the candidate do not get it';
    findings.push({ ...finding, path: ['rollout', 'fields', wrong], message });
  }
  if (alarm !== undefined) {
    const message = 'stops nothing; write it as rolloutAlarm, beside rollout';
    findings.push({ ...finding, path: ['rollout', 'alarm'], message });
  }
  return findings;
}
