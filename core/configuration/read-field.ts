import * as v from 'valibot';
import { error, type Finding } from '../finding.ts';
import { shortened } from '../text.ts';
import { completeField } from './complete-field.ts';
import { Field } from './field.ts';
import { isMap } from './stored-map.ts';

export const IS_MISSING = 'is missing';

/** A field as apps receive it, or the first error for which it is omitted. */
type ServedField =
  | { readonly field: Field; readonly error?: never }
  | { readonly field?: never; readonly error: Finding };

/**
 * Reads a stored field. Never throws. It stops at the first error: a field can have a hundred
 * thousand, and only operators need all of them.
 */
export function readField(stored: unknown): ServedField {
  const options = { message: expectation, abortEarly: true };
  const { success, output, issues } = v.safeParse(Field, completeField(stored), options);
  return success ? { field: output } : { error: errorOf(issues[0]) };
}

/** Finds all errors for which a stored field is omitted. Never throws. */
export function fieldErrors(stored: unknown): Finding[] {
  return errorsIn(Field, completeField(stored));
}

/** Finds all rules of a schema that a value breaks. */
export function errorsIn(schema: v.GenericSchema, value: unknown): Finding[] {
  const { issues } = v.safeParse(schema, value, { message: expectation });
  return issues ? issues.map(errorOf) : [];
}

function errorOf(issue: v.BaseIssue<unknown>): Finding {
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  return error(codeOf(issue), path, issue.message);
}

/** Error codes by valibot's rule names. All other rules are about types. */
const CODES: Readonly<Record<string, Finding['code']>> = {
  check: 'noCharacters',
  literal: 'invalidValue',
  min_length: 'empty',
  min_value: 'tooSmall',
};

function codeOf({ type, expected, received }: v.BaseIssue<unknown>): Finding['code'] {
  if (received === 'undefined') return 'missing';
  if (type === 'variant' && expected !== 'Object') return 'invalidValue';
  return CODES[type] ?? 'wrongType';
}

/** The most characters of a value in a message. */
const MOST_CHARACTERS = 200;

/** valibot's type names in the words of operators. */
const TYPES: Readonly<Record<string, string>> = {
  Array: 'a list',
  NumberValue: 'a number with too many digits',
  Object: 'a map',
  boolean: 'true or false',
  number: 'a number',
  string: 'a string',
};

/** Words the errors of rules without a message of their own. */
function expectation({ expected, received, input }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return IS_MISSING;
  const wanted = TYPES[String(expected)] ?? alternatives(String(expected));
  // `completeField` replaced what is not a map, so `received` is meaningless.
  if (expected === 'Object') return 'must be a map (name: value)';
  return `must be ${wanted}, not ${isMap(input) ? TYPES.Object : (TYPES[received] ?? shortened(received, MOST_CHARACTERS))}`;
}

/** Turns `("text" | "drop")` into `"text" or "drop"`. */
function alternatives(expected: string): string {
  return expected.replaceAll(/[()]/g, '').replaceAll(' | ', ' or ');
}
