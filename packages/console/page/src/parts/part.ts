import type { Finding, StoredMap } from 'customer-data-api/configuration';
import { asMap, type Option } from '../draft.ts';

/** What a form edits: a field, or an input of one. */
export interface Part {
  readonly map: StoredMap;
  /** With paths that start at the map. */
  readonly findings: readonly Finding[];
  readonly change: (path: readonly (string | number)[], value: unknown) => void;
  /** The options that are published. */
  readonly published?: readonly Option[];
}

/** Returns an input of a field. */
export function partAt({ map, findings, change }: Part, name: string): Part {
  return {
    map: asMap(map[name]),
    findings: placed(findings, name).map((one) => ({ ...one, path: one.path.slice(1) })),
    change: (path, value) => change([name, ...path], value),
  };
}

/** Returns the findings at an attribute. */
export function placed(findings: readonly Finding[], name: string): readonly Finding[] {
  return findings.filter(({ path }) => path[0] === name);
}
