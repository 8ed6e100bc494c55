import type { ConfigsItem } from '../client-attributes.ts';
import { type FieldFinding, type Finding, withFieldNames } from '../finding.ts';
import { lazily } from '../lazily.ts';
import { oncePer } from '../once-per.ts';
import { highestId, MOST_REMOVED_FIELDS, plausibleLastFieldId } from './assign-ids.ts';
import { ATTRIBUTES } from './attributes.ts';
import { checkTranslations } from './check-translations.ts';
import { expectedValue } from './expected-value.ts';
import { type StoredSize, sizeFindings } from './item-size.ts';
import { inputsOf } from './kinds.ts';
import { fieldErrors, IS_MISSING, readField } from './read-field.ts';
import { rolloutFindings } from './rollout-findings.ts';
import { idOf, isMap, listOf } from './stored-map.ts';
import { undecodableInteger } from './undecodable-integer.ts';
import {
  type UnknownAttribute,
  unknownFinding,
  unknownInField,
  unknownInItem,
  unknownPaths,
} from './unknown-attributes.ts';
import { strayCharacters, warningsOn } from './warnings.ts';

/**
 * Lists at most so many fields with errors, and errors per field; the rest are counted. No one
 * reads more, and an item has space for two hundred thousand.
 */
const MOST_LISTED = 1000;
/** The most entries of a list that are checked: no more options fit into an item. */
const MOST_ENTRIES = 20_000;
/**
 * The most attributes of a served map, apart from translated options. Beyond it, only known ones
 * are checked.
 */
const MOST_ATTRIBUTES = 1000;
const KNOWN: readonly string[] = Object.values(ATTRIBUTES).flat();

/** Mistakes that are served once they are stored, and that no publication may add. */
const REFUSED: readonly Finding['code'][] = ['emptyValue', 'lastFieldIdTooHigh', 'missingLanguage'];

/** Checks a configuration that is to be published: some warnings of an item are errors then. */
export function checkPublication(item: ConfigsItem, size?: StoredSize): Finding[] {
  return checkConfiguration(item, size).map((finding) =>
    REFUSED.includes(finding.code) ? { ...finding, severity: 'error' } : finding,
  );
}

/**
 * Checks a client's configuration, in attribute order. Without errors it is served unchanged.
 *
 * @param size the size of the whole item, if `item` is only a part of it.
 */
export function checkConfiguration(item: ConfigsItem, size?: StoredSize): Finding[] {
  const { fields, lastFieldId } = item;
  const list = listOf(fields);
  const checked = list.map(checkedField);
  const unknowns = unknownInItem(item);
  const findings = [
    ...unknowns.map(unknownFinding),
    ...strayCharacters(item.clientId, ['clientId']).map(
      (warning): Finding => ({ severity: 'warning', ...warning }),
    ),
    ...withoutMisspelled(checkList(fields), unknowns),
    ...checkFields(list, checked),
    ...checkTranslations(
      item.language,
      checked.map(({ cut }) => cut),
    ),
    ...withoutMisspelled(checkLastFieldId(lastFieldId, list), unknowns),
    ...rolloutFindings(item),
  ];
  return withFieldNames([...findings, ...sizeFindings(item, size)], fields);
}

/** Omits that an attribute is missing if it is there, with another name. */
function withoutMisspelled<TFinding extends Pick<Finding, 'code' | 'path'>>(
  findings: readonly TFinding[],
  unknowns: readonly UnknownAttribute[],
): readonly TFinding[] {
  const found = unknowns.filter(({ meant }) => meant !== undefined);
  if (found.length === 0) return findings;
  const misspelled = new Set(found.map(({ path, meant }) => [...path.slice(0, -1), meant].join()));
  return findings.filter(({ code, path }) => code !== 'missing' || !misspelled.has(path.join()));
}

function checkList(fields: unknown): Finding[] {
  if (Array.isArray(fields)) return [];
  const path = ['fields'];
  if (fields !== undefined) {
    return [{ severity: 'error', code: 'wrongType', path, message: 'must be a list of fields' }];
  }
  const message = `${IS_MISSING}; write [] if there are no fields`;
  return [{ severity: 'error', code: 'missing', path, message }];
}

function checkFields(fields: readonly unknown[], checked: readonly CheckedField[]): Finding[] {
  const findings: Finding[] = [];
  let wrong = 0;
  for (const [index, { error, found }] of checked.entries()) {
    if (error && ++wrong > MOST_LISTED) continue;
    for (const finding of found()) {
      findings.push({ ...finding, path: ['fields', index, ...finding.path.slice(2)] });
    }
  }
  if (wrong > MOST_LISTED) {
    const message = `has ${wrong - MOST_LISTED} more fields with errors; fix the listed ones first`;
    findings.push({ severity: 'error', code: 'invalidValue', path: ['fields'], message });
  }
  return [
    ...findings,
    ...repeatedIds(fields).map(
      ({ path, first }): Finding => ({
        severity: 'error',
        code: 'duplicateId',
        path,
        message: `is also the id of fields[${first}]`,
      }),
    ),
  ];
}

/** The findings of a field by itself, as if it were the first. */
interface CheckedField {
  readonly cut: unknown;
  readonly error: FieldFinding | undefined;
  readonly found: () => readonly Finding[];
}

function checkedField(field: unknown): CheckedField {
  return typeof field === 'object' && field !== null ? checkedOnce(field) : checkedNow(field);
}

function checkedNow(field: unknown): CheckedField {
  const cut = withoutExcess(field);
  // An error beyond the checked entries also keeps the field from being served.
  const { error } = readField(field);
  return { cut, error, found: lazily(() => checkField(cut, error, ['fields', 0])) };
}

/** Checks each field once, for somebody who types in one of many. */
const checkedOnce = oncePer<object, CheckedField>(checkedNow);

function checkField(
  stored: unknown,
  error: FieldFinding | undefined,
  path: Finding['path'],
): Finding[] {
  const paths = unknownPaths(stored, path);
  const unknowns = paths.slice(0, MOST_LISTED).map((one) => unknownInField(one, path));
  const found = error ? fieldErrors(stored) : [];
  const errors = error && found.length === 0 ? [error] : withoutFollowing(found);
  const wrong = new Set(errors.map((one) => one.path.join()));
  const listed = errors.slice(0, MOST_LISTED).map(errorIn(stored, path));
  return [
    ...unknowns.map(unknownFinding),
    ...withoutMisspelled(listed, unknowns),
    ...notListed(paths, path, 'unknown attributes'),
    ...notListed(errors, path, 'errors'),
    ...halfCharacters(stored, path),
    ...warningsOn(stored)
      .filter((warning) => wrong.size === 0 || !wrong.has(warning.path.join()))
      .map((warning): Finding => {
        const { code, path: below, message } = warning;
        return { severity: 'warning', code, path: [...path, ...below], message };
      }),
  ];
}

function notListed(found: readonly unknown[], path: Finding['path'], kind: string): Finding[] {
  const others = found.length - MOST_LISTED;
  if (others <= 0) return [];
  const message = `has ${others} more ${kind}; fix the listed ones first`;
  return [{ severity: 'error', code: 'invalidValue', path, message }];
}

/** Finds texts that DynamoDB cannot store, at any depth. */
function halfCharacters(value: unknown, path: Finding['path']): Finding[] {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return [];
    const message = 'has half of a character; write the text again';
    return [{ severity: 'error', code: 'halfCharacter', path, message }];
  }
  if (!isMap(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    halfCharacters(part, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Cuts the lists and maps of a field that have more entries than any that is served. */
function withoutExcess(stored: unknown, most = MOST_ATTRIBUTES): unknown {
  if (stored instanceof Set) return withoutExcess([...stored]);
  if (Array.isArray(stored)) {
    return stored.slice(0, MOST_ENTRIES).map((entry) => withoutExcess(entry));
  }
  if (!isMap(stored)) return stored;
  const all = Object.keys(stored);
  const names = all.filter((name, index) => index < most || KNOWN.includes(name));
  const parts = names.map((name) =>
    withoutExcess(stored[name], name === 'options' ? MOST_ENTRIES : MOST_ATTRIBUTES),
  );
  // Most are small, and a copy of each takes longer than the check.
  const isWhole =
    names.length === all.length && names.every((name, at) => stored[name] === parts[at]);
  return isWhole ? stored : Object.fromEntries(names.map((name, at) => [name, parts[at]]));
}

function errorIn(field: unknown, path: Finding['path']): (error: FieldFinding) => Finding {
  // All options have the same fix.
  const remedies = new Map<string, string>();
  const remedyOf = (below: FieldFinding['path']) => {
    const place = below.filter((key) => typeof key === 'string').join();
    const known = remedies.get(place) ?? remedy(field, below);
    remedies.set(place, known);
    return known;
  };
  return ({ code, path: below, message }) => {
    const cure = code === 'missing' ? remedyOf(below) : '';
    return {
      severity: 'error',
      code,
      path: [...path, ...below],
      message: `${message}${cure}`,
    };
  };
}

/** Omits errors about options if the `subType`, which decides whether there are any, is wrong. */
function withoutFollowing(errors: readonly FieldFinding[]): FieldFinding[] {
  const wrong = new Set(
    errors.filter(({ path: [, name] }) => name === 'subType').map(({ path: [input] }) => input),
  );
  return errors.filter(
    ({ path: [input, name] }) =>
      (name !== 'options' && name !== 'optionsArray') || !wrong.has(input),
  );
}

/** Returns the fix for a missing attribute. */
function remedy(field: unknown, path: FieldFinding['path']): string {
  if (path.join() === 'subFieldA' && hasOnlySubFieldB(field)) {
    return '; rename subFieldB to subFieldA: only a combo has a second input';
  }
  return `; it is ${expectedValue(field, path)}`;
}

function hasOnlySubFieldB(field: unknown): boolean {
  return (
    isMap(field) &&
    !inputsOf(field).includes('subFieldB') &&
    isMap(field.subFieldB) &&
    Object.keys(field.subFieldB).length > 0
  );
}

/** Finds fields that repeat an earlier field's id, with the index of the first. */
function repeatedIds(
  fields: readonly unknown[],
): { readonly path: Finding['path']; readonly first: number }[] {
  const firsts = new Map<string, number>();
  return fields.flatMap((field, index) => {
    const id = idOf(field);
    if (!id) return [];
    const first = firsts.get(id);
    if (first !== undefined) return [{ path: ['fields', index, 'id'], first }];
    firsts.set(id, index);
    return [];
  });
}

function checkLastFieldId(lastFieldId: unknown, fields: readonly unknown[]): Finding[] {
  const path = ['lastFieldId'];
  if (!Number.isSafeInteger(lastFieldId)) {
    const isMissing = lastFieldId === undefined;
    const wrong = `is not an integer up to ${Number.MAX_SAFE_INTEGER}`;
    const message = `${isMissing ? IS_MISSING : wrong}; write the highest id that a field ever had`;
    return [{ severity: 'error', code: isMissing ? 'missing' : 'wrongType', path, message }];
  }
  const findings: Finding[] = [];
  const undecodable = undecodableInteger(Number(lastFieldId));
  if (undecodable !== undefined) {
    findings.push({ severity: 'warning', code: 'undecodable', path, message: undecodable });
  }
  const highest = highestId(fields);
  if (plausibleLastFieldId(lastFieldId, highest) !== lastFieldId) {
    const message = `is more than ${MOST_REMOVED_FIELDS} above ${highest}, the highest id of a field; write the highest id that a field ever had`;
    findings.push({ severity: 'warning', code: 'lastFieldIdTooHigh', path, message });
  }
  if (highest > Number(lastFieldId)) {
    const message = `is below ${highest}, the highest id of a field; a new field could get a used id`;
    findings.push({ severity: 'warning', code: 'lastFieldIdTooLow', path, message });
  }
  return findings;
}
