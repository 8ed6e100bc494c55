import type { InputName, StoredMap } from 'customer-data-api/configuration';
import { asMap, type DraftFinding } from '../draft/draft.ts';
import type { Option } from './option-lines.ts';

/** The object of a form: a field, an input of one, or a translation of either. */
export interface Part {
  readonly map: StoredMap;
  /** The findings in it, with paths that start at the map. */
  readonly findings: readonly DraftFinding[];
  /** Replaces an attribute. An edit that is a step of its own is undone alone. */
  readonly edit: (path: readonly (string | number)[], value: unknown, isOwnStep?: boolean) => void;
  /** The kind of the field, which decides that of its only input. */
  readonly kind?: unknown;
  /** The options that are published. */
  readonly published?: readonly Option[];
  /** The path of the options that the field had, and the input; undefined for a new field. */
  readonly history?: { readonly path: string; readonly input: InputName } | undefined;
  /** The texts of the map in another language, which are shown beside them. */
  readonly translation?: { readonly language: string; readonly part: Part } | undefined;
}

/** Returns an input of a field, or what else is below a part. */
export function partAt({ map, findings, edit, translation }: Part, name: string): Part {
  return {
    map: asMap(map[name]),
    findings: placed(findings, name).map((one) => ({ ...one, path: one.path.slice(1) })),
    edit: (path, ...value) => edit([name, ...path], ...value),
    translation: translation && { ...translation, part: partAt(translation.part, name) },
  };
}

/** Returns the findings at an attribute. */
export function placed(findings: readonly DraftFinding[], name: string): readonly DraftFinding[] {
  return findings.filter(({ path }) => path[0] === name);
}
