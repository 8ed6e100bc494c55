import type { INPUTS } from './attributes.ts';
import type { Field, SubField } from './field.ts';
import { attributeOf } from './stored-map.ts';

/*
 * What a kind decides. What is stored may be of no kind, so a table by kind says it: it does not
 * compile without an entry for each kind of the field model. For valid values, a `switch` does.
 */

/** The kinds of a field. */
export type FieldKind = Field['fieldType'];
/** The kinds of an input. */
export type InputKind = SubField['subType'];

/** The names of a field's inputs. */
export type InputName = (typeof INPUTS)[number];

const INPUTS_OF: Readonly<Record<FieldKind, readonly InputName[]>> = {
  text: ['subFieldA'],
  drop: ['subFieldA'],
  combo: ['subFieldA', 'subFieldB'],
};
export const FIELD_KINDS = Object.keys(INPUTS_OF) as readonly FieldKind[];

const HAS_OPTIONS: Readonly<Record<InputKind, boolean>> = { text: false, drop: true };

/** Returns the entry of a table for a stored kind; undefined if there is no such kind. */
export function entryOf<T>(table: Readonly<Record<string, T>>, kind: unknown): T | undefined {
  return typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined;
}

/** Lists the inputs of a stored field. One of no kind has the first. */
export function inputsOf(field: unknown): readonly InputName[] {
  return entryOf(INPUTS_OF, attributeOf(field, 'fieldType')) ?? INPUTS_OF.text;
}

/** True for an input whose answers are values of its options; undefined for one of no kind. */
export function hasOptions(input: unknown): boolean | undefined {
  return entryOf(HAS_OPTIONS, attributeOf(input, 'subType'));
}
