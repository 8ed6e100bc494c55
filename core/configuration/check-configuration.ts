import type { ConfigsItem } from '../client-attributes.ts';
import { below, error, type Finding, warning, withFieldNames } from '../finding.ts';
import { lazily } from '../lazily.ts';
import { oncePer } from '../once-per.ts';
import { highestId, MOST_REMOVED_FIELDS, plausibleLastFieldId } from './assign-ids.ts';
import { ATTRIBUTES } from './attributes.ts';
import { checkTranslations } from './check-translations.ts';
import { withRemedies } from './expected-value.ts';
import { type StoredSize, sizeFindings } from './item-size.ts';
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
    ...strayCharacters(item.clientId, ['clientId']),
    ...withoutMisspelled(checkList(fields), unknowns),
    ...checkFields(checked),
    ...repeatedIds(list),
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
function withoutMisspelled(
  findings: readonly Finding[],
  unknowns: readonly UnknownAttribute[],
): readonly Finding[] {
  const found = unknowns.filter(({ meant }) => meant !== undefined);
  if (found.length === 0) return findings;
  const misspelled = new Set(found.map(({ path, meant }) => [...path.slice(0, -1), meant].join()));
  return findings.filter(({ code, path }) => code !== 'missing' || !misspelled.has(path.join()));
}

function checkList(fields: unknown): Finding[] {
  if (Array.isArray(fields)) return [];
  return fields === undefined
    ? [error('missing', ['fields'], `${IS_MISSING}; write [] if there are no fields`)]
    : [error('wrongType', ['fields'], 'must be a list of fields')];
}

function checkFields(checked: readonly CheckedField[]): Finding[] {
  const wrong = [...checked.keys()].filter((index) => checked[index]?.error);
  const skipped = new Set(wrong.slice(MOST_LISTED));
  return [
    ...checked.flatMap(({ found }, index) =>
      skipped.has(index) ? [] : below(['fields', index], found()),
    ),
    ...notListed(wrong.length, ['fields'], 'fields with errors'),
  ];
}

/** The findings of a field by itself. */
interface CheckedField {
  readonly cut: unknown;
  readonly error: Finding | undefined;
  readonly found: () => readonly Finding[];
}

/** Checks each field once, for somebody who types in one of many. */
const checkedField = oncePer((field: unknown): CheckedField => {
  const cut = withoutExcess(field);
  // An error beyond the checked entries also keeps the field from being served.
  const { error: first } = readField(field);
  return { cut, error: first, found: lazily(() => checkField(cut, first)) };
});

function checkField(stored: unknown, first: Finding | undefined): Finding[] {
  const paths = unknownPaths(stored);
  const unknowns = paths.slice(0, MOST_LISTED).map(unknownInField);
  const found = first ? fieldErrors(stored) : [];
  const errors = first && found.length === 0 ? [first] : withoutFollowing(found);
  const wrong = new Set(errors.map(({ path }) => path.join()));
  return [
    ...unknowns.map(unknownFinding),
    ...withoutMisspelled(withRemedies(stored, errors.slice(0, MOST_LISTED)), unknowns),
    ...notListed(paths.length, [], 'unknown attributes'),
    ...notListed(errors.length, [], 'errors'),
    ...halfCharacters(stored),
    ...warningsOn(stored).filter(({ path }) => wrong.size === 0 || !wrong.has(path.join())),
  ];
}

function notListed(found: number, path: Finding['path'], kind: string): Finding[] {
  const others = found - MOST_LISTED;
  if (others <= 0) return [];
  return [error('invalidValue', path, `has ${others} more ${kind}; fix the listed ones first`)];
}

/** Finds texts that DynamoDB cannot store, at any depth. */
function halfCharacters(value: unknown, path: Finding['path'] = []): Finding[] {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return [];
    return [error('halfCharacter', path, 'has half of a character; write the text again')];
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

/** Omits errors about options if the `subType`, which decides whether there are any, is wrong. */
function withoutFollowing(errors: readonly Finding[]): Finding[] {
  const wrong = new Set(
    errors.filter(({ path: [, name] }) => name === 'subType').map(({ path: [input] }) => input),
  );
  return errors.filter(
    ({ path: [input, name] }) =>
      (name !== 'options' && name !== 'optionsArray') || !wrong.has(input),
  );
}

/** Finds fields that repeat an earlier field's id. */
function repeatedIds(fields: readonly unknown[]): Finding[] {
  const firsts = new Map<string, number>();
  return fields.flatMap((field, index) => {
    const id = idOf(field);
    if (!id) return [];
    const first = firsts.get(id);
    if (first !== undefined) {
      return [error('duplicateId', ['fields', index, 'id'], `is also the id of fields[${first}]`)];
    }
    firsts.set(id, index);
    return [];
  });
}

function checkLastFieldId(lastFieldId: unknown, fields: readonly unknown[]): Finding[] {
  const path = ['lastFieldId'];
  const remedy = 'write the highest id that a field ever had';
  if (lastFieldId === undefined) return [error('missing', path, `${IS_MISSING}; ${remedy}`)];
  if (!Number.isSafeInteger(lastFieldId)) {
    const message = `is not an integer up to ${Number.MAX_SAFE_INTEGER}; ${remedy}`;
    return [error('wrongType', path, message)];
  }
  const highest = highestId(fields);
  const undecodable = undecodableInteger(Number(lastFieldId));
  const tooHigh =
    plausibleLastFieldId(lastFieldId, highest) !== lastFieldId &&
    `is more than ${MOST_REMOVED_FIELDS} above ${highest}, the highest id of a field; ${remedy}`;
  const tooLow =
    highest > Number(lastFieldId) &&
    `is below ${highest}, the highest id of a field; a new field could get a used id`;
  return [
    ...(undecodable ? [warning('undecodable', path, undecodable)] : []),
    ...(tooHigh ? [warning('lastFieldIdTooHigh', path, tooHigh)] : []),
    ...(tooLow ? [warning('lastFieldIdTooLow', path, tooLow)] : []),
  ];
}
