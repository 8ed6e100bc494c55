import * as v from 'valibot';
import { completeField } from './complete-field.ts';
import { Field } from './field.ts';

/** The message about an attribute that is missing. */
export const IS_MISSING = 'is missing';

/** A rule of the field model that a stored field breaks. */
export interface FieldError {
  /** The attribute, as keys and indexes below the field. */
  readonly path: readonly (string | number)[];
  /** What is wrong, such as `must be a string, not 7`. */
  readonly message: string;
}

/** A field as apps receive it, or the errors that keep it from them. */
export type ReadField =
  | { readonly field: Field; readonly errors?: never }
  | { readonly field?: never; readonly errors: readonly FieldError[] };

/** Reads a stored field. Never throws. */
export function readField(stored: unknown): ReadField {
  const result = v.safeParse(Field, completeField(stored), { message: expectation });
  if (result.success) return { field: result.output };
  return {
    errors: result.issues.map(({ path = [], message }) => ({
      path: path.map(({ key }) => key as string | number),
      message,
    })),
  };
}

/** valibot's names of types, in the words of operators. */
const TYPES: Readonly<Record<string, string>> = {
  Array: 'a list',
  Object: 'a map',
  boolean: 'true or false',
  number: 'a number',
  string: 'a string',
};

/** The message of a rule of the field model that does not have its own. */
function expectation({ expected, received }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return IS_MISSING;
  const wanted = TYPES[String(expected)] ?? alternatives(String(expected));
  // `completeField` has replaced what is not a map, so `received` says nothing.
  return expected === 'Object'
    ? 'must be a map'
    : `must be ${wanted}, not ${TYPES[received] ?? received}`;
}

/** `("text" | "drop")` as `"text" or "drop"`. */
function alternatives(expected: string): string {
  return expected.replaceAll(/[()]/g, '').replaceAll(' | ', ' or ');
}
