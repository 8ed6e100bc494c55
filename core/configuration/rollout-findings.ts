import type { ConfigsItem } from '../client-attributes.ts';
import { closestName } from '../closest-name.ts';
import { type Finding, warning } from '../finding.ts';
import { readField } from './read-field.ts';
import { ATTRIBUTES_IN_ROLLOUT, readRollout } from './rollout.ts';
import { isMap, listOf, mapIn } from './stored-map.ts';

/** Finds a rollout that is not served, and what the service ignores in it. */
export function rolloutFindings(item: ConfigsItem): Finding[] {
  const { damage } = readRollout(item);
  const served = damage
    ? [invalid(damage.path, `${damage.message}; nobody gets the candidate`)]
    : candidateErrors(listOf(mapIn(item, 'rollout').fields));
  return [...served, ...unknownInRollout(item.rollout)];
}

function invalid(path: Finding['path'], message: string): Finding {
  return warning('invalidRollout', path, message);
}

function candidateErrors(fields: readonly unknown[]): Finding[] {
  const wrong = fields.findIndex((field) => readField(field).error);
  if (wrong < 0) return [];
  const message = 'has an error, so the devices with the candidate do not get it';
  return [invalid(['rollout', 'fields', wrong], message)];
}

function unknownInRollout(rollout: unknown): Finding[] {
  if (!isMap(rollout)) return [];
  const unknown = Object.keys(rollout).filter((name) => !ATTRIBUTES_IN_ROLLOUT.includes(name));
  return unknown.map((name) => {
    const path = ['rollout', name];
    const meant = closestName(name, ATTRIBUTES_IN_ROLLOUT, 1 / 2);
    const message = `is an unknown attribute${meant ? `. Did you mean ${meant}?` : ', which the service ignores'}`;
    return warning('unknownAttribute', path, message);
  });
}
