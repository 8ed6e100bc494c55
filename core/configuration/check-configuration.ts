import type { ConfigsItem } from '../client-attributes.ts';
import { type Finding, withFieldNames } from '../finding.ts';
import { highestId } from './assign-ids.ts';
import { isMap } from './complete-field.ts';
import { expectedValue } from './describe-expected.ts';
import { type FieldError, IS_MISSING, readField } from './read-field.ts';
import { undecodableInteger } from './released-apps.ts';
import { type UnknownAttribute, unknownAttributes, whatIsKnown } from './unknown-attributes.ts';
import { comparable, warningsOn } from './warnings.ts';

/** Items near DynamoDB's limit of 400 KB get a warning. In bytes. */
const LARGE_ITEM = 300 * 1024;

/** Mistakes that are served once they are stored, and that no publication may add. */
const REFUSED: readonly Finding['code'][] = ['emptyValue'];

/** Checks a configuration that is to be published: some warnings of an item are errors then. */
export function checkPublication(item: ConfigsItem): Finding[] {
  return checkConfiguration(item).map((finding) =>
    REFUSED.includes(finding.code) ? { ...finding, severity: 'error' } : finding,
  );
}

/** Checks a client's configuration, in attribute order. Without errors it is served unchanged. */
export function checkConfiguration(item: ConfigsItem): Finding[] {
  const { fields, lastFieldId } = item;
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  const unknowns = unknownAttributes(item);
  const misspelled = unknowns.map(({ path, meant }) => [...path.slice(0, -1), meant].join());
  const findings = [
    ...unknowns.map(unknown),
    ...[...checkList(fields), ...checkFields(list), ...checkLastFieldId(lastFieldId, list)]
      // It is there, with another name.
      .filter(({ code, path }) => code !== 'missing' || !misspelled.includes(path.join())),
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(item)).length;
  if (bytes > LARGE_ITEM) {
    const message = `has ${Math.ceil(bytes / 1024)} KB; DynamoDB accepts 400 KB`;
    findings.push({ severity: 'warning', code: 'tooLarge', path: [], message });
  }
  return withFieldNames(findings, fields);
}

/**
 * Reports an attribute that is not served. Beside the fields, operators may keep their own
 * attributes; inside a field, every attribute is meant for apps.
 */
function unknown({ path, meant }: UnknownAttribute): Finding {
  if (meant !== undefined) {
    const message = `is an unknown attribute. Did you mean ${meant}?`;
    return { severity: 'error', code: 'misspelledAttribute', path, message };
  }
  if (path.length > 1) return { severity: 'error', path, ...whatIsKnown(path) };
  const message = 'is an unknown attribute, which the service ignores';
  return { severity: 'warning', code: 'unknownAttribute', path, message };
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

function checkFields(fields: readonly unknown[]): Finding[] {
  return [
    ...fields.flatMap((field, index) => checkField(field, ['fields', index])),
    ...repeated(fields, 'id').map(
      ({ path, first }): Finding => ({
        ...{ severity: 'error', code: 'duplicateId', path },
        message: `is also the id of fields[${first}]`,
      }),
    ),
    ...repeated(fields, 'fieldName', comparable).map(
      ({ path }): Finding => ({
        ...{ severity: 'warning', code: 'duplicateCaption', path },
        message: 'is also the caption of an earlier field',
      }),
    ),
  ];
}

function checkField(stored: unknown, path: Finding['path']): Finding[] {
  const { errors = [] } = readField(stored);
  const wrong = errors.map((error) => error.path.join());
  return [
    ...withoutFollowing(errors).map(
      (error): Finding => ({
        severity: 'error',
        ...error,
        path: [...path, ...error.path],
        message: `${error.message}${remedy(stored, error)}`,
      }),
    ),
    ...warningsOn(stored)
      .filter((warning) => !wrong.includes(warning.path.join()))
      .map(
        (warning): Finding => ({
          severity: 'warning',
          ...warning,
          path: [...path, ...warning.path],
        }),
      ),
  ];
}

/** Omits errors about options if the `subType`, which decides whether there are any, is wrong. */
function withoutFollowing(errors: readonly FieldError[]): FieldError[] {
  const wrong = new Set(
    errors.filter(({ path: [, name] }) => name === 'subType').map(({ path: [input] }) => input),
  );
  return errors.filter(
    ({ path: [input, name] }) =>
      (name !== 'options' && name !== 'optionsArray') || !wrong.has(input),
  );
}

/** Returns the fix, if the message of an error does not say it. */
function remedy(field: unknown, { code, path }: FieldError): string {
  if (code !== 'missing') return '';
  if (path.join() === 'subFieldA' && hasOnlySubFieldB(field)) {
    return '; rename subFieldB to subFieldA: only a combo has a second input';
  }
  return `; it is ${expectedValue(field, path)}`;
}

function hasOnlySubFieldB(field: unknown): boolean {
  return (
    isMap(field) &&
    field.fieldType !== 'combo' &&
    isMap(field.subFieldB) &&
    Object.keys(field.subFieldB).length > 0
  );
}

/** Finds fields that repeat an earlier field's text, with the index of the first. */
function repeated(
  fields: readonly unknown[],
  name: string,
  comparable = (text: string) => text,
): { readonly path: Finding['path']; readonly first: number }[] {
  const firsts = new Map<string, number>();
  return fields.flatMap((field, index) => {
    const stored = isMap(field) ? field[name] : undefined;
    if (typeof stored !== 'string' || stored === '') return [];
    const text = comparable(stored);
    const first = firsts.get(text);
    if (first !== undefined) return [{ path: ['fields', index, name], first }];
    firsts.set(text, index);
    return [];
  });
}

function checkLastFieldId(lastFieldId: unknown, fields: readonly unknown[]): Finding[] {
  const path = ['lastFieldId'];
  if (!Number.isSafeInteger(lastFieldId)) {
    const isMissing = lastFieldId === undefined;
    const message = `${isMissing ? IS_MISSING : 'is not an integer'}; write the highest id that a field ever had`;
    return [{ severity: 'error', code: isMissing ? 'missing' : 'wrongType', path, message }];
  }
  const findings: Finding[] = [];
  const undecodable = undecodableInteger(Number(lastFieldId));
  if (undecodable !== undefined) {
    findings.push({ severity: 'warning', code: 'undecodable', path, message: undecodable });
  }
  const highest = highestId(fields);
  if (highest > Number(lastFieldId)) {
    const message = `is below ${highest}, the highest id of a field; a new field could get a used id`;
    findings.push({ severity: 'warning', code: 'lastFieldIdTooLow', path, message });
  }
  return findings;
}
