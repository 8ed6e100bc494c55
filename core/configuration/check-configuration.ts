import type { ConfigsItem } from '../clients/client-record.ts';
import { adviceOn } from './advice.ts';
import { undecodableInteger } from './apps-in-the-field.ts';
import { highestId } from './assign-ids.ts';
import { isMap } from './complete-field.ts';
import { expectedValue } from './expected-value.ts';
import { type FieldError, IS_MISSING, readField } from './read-field.ts';
import { type UnknownAttribute, unknownAttributes, whatIsKnown } from './unknown-attributes.ts';

/** What is wrong with a configuration, or probably wrong. */
export interface Finding {
  /** `error`: the service does not serve it. `advice`: it does, and it is probably a mistake. */
  readonly severity: 'error' | 'advice';
  /** The attribute, as keys and indexes below the client's item. An attribute that is missing ends the path. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what would be right, without a full stop. It follows the name of the attribute. */
  readonly message: string;
}

/** Above this size, an item comes close to the 400 KB that DynamoDB accepts. In bytes. */
const LARGE_ITEM = 300 * 1024;

/**
 * Checks the configuration in a client's item, in the order of its attributes. The service serves a configuration without
 * errors as it is.
 */
export function checkConfiguration(item: ConfigsItem): Finding[] {
  const { fields, lastFieldId } = item;
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  const findings = [
    ...unknownAttributes(item).map(unknown),
    ...checkList(fields),
    ...checkFields(list),
    ...checkLastFieldId(lastFieldId, list),
  ];
  const bytes = Buffer.byteLength(JSON.stringify(item));
  if (bytes > LARGE_ITEM) {
    const message = `has ${Math.ceil(bytes / 1024)} KB; DynamoDB accepts 400 KB`;
    findings.push({ severity: 'advice', path: [], message });
  }
  return findings;
}

/**
 * An attribute that is not served. Beside the fields, operators may keep attributes of their own; inside a field, each is
 * meant for apps.
 */
function unknown({ path, meant }: UnknownAttribute): Finding {
  if (meant !== undefined) {
    const message = `is not an attribute that the service knows; ${meant} is`;
    return { severity: 'error', path, message };
  }
  if (path.length > 1) return { severity: 'error', path, message: whatIsKnown(path) };
  return { severity: 'advice', path, message: 'is not an attribute that the service knows' };
}

function checkList(fields: unknown): Finding[] {
  if (Array.isArray(fields)) return [];
  const message =
    fields === undefined
      ? `${IS_MISSING}; a client without fields has an empty list`
      : 'must be a list of fields';
  return [{ severity: 'error', path: ['fields'], message }];
}

function checkFields(fields: readonly unknown[]): Finding[] {
  return [
    ...fields.flatMap((field, index) => checkField(field, ['fields', index])),
    ...repeated(fields, 'id', 'error', (first) => `is already the id of fields[${first}]`),
    ...repeated(
      fields,
      'fieldName',
      'advice',
      (first) => `is already the caption of fields[${first}]`,
    ),
  ];
}

function checkField(stored: unknown, path: Finding['path']): Finding[] {
  const { field, errors } = readField(stored);
  if (field) {
    return adviceOn(field).map((advice) => ({
      severity: 'advice',
      path: [...path, ...advice.path],
      message: advice.message,
    }));
  }
  return errors
    .filter((error) => !followsFromSubType(error, errors))
    .map((error) => ({
      severity: 'error',
      path: [...path, ...error.path],
      message: `${error.message}${remedy(stored, error)}`,
    }));
}

/** Whether an attribute of an input is only missing because its `subType`, which decides what it needs, is wrong. */
function followsFromSubType({ path, message }: FieldError, errors: readonly FieldError[]): boolean {
  const [input, name] = path;
  const isWrong = (one: FieldError) => one.path[0] === input && one.path[1] === 'subType';
  return message === IS_MISSING && name === 'optionsArray' && errors.some(isWrong);
}

/** What would be right, if the message of an error does not say it. */
function remedy(field: unknown, { path, message }: FieldError): string {
  if (message === IS_MISSING && path.join() === 'subFieldA' && hasOnlySubFieldB(field)) {
    return '; rename subFieldB to subFieldA: only a combo has a second input';
  }
  if (message === IS_MISSING) return `; it is ${expectedValue(field, path)}`;
  return /must be a string, not [\d.tf-]/.test(message) ? '; put it in quotes' : '';
}

function hasOnlySubFieldB(field: unknown): boolean {
  return (
    isMap(field) &&
    field.fieldType !== 'combo' &&
    isMap(field.subFieldB) &&
    Object.keys(field.subFieldB).length > 0
  );
}

/** Reports each field with the same text in an attribute as an earlier one. */
function repeated(
  fields: readonly unknown[],
  name: string,
  severity: Finding['severity'],
  message: (first: number) => string,
): Finding[] {
  const texts = fields.map(
    (field) => (field as Record<string, unknown> | null | undefined)?.[name],
  );
  return texts.flatMap((text, index) => {
    const first = texts.indexOf(text);
    if (typeof text !== 'string' || text === '' || first === index) return [];
    return [{ severity, path: ['fields', index, name], message: message(first) }];
  });
}

function checkLastFieldId(lastFieldId: unknown, fields: readonly unknown[]): Finding[] {
  const path = ['lastFieldId'];
  if (!Number.isSafeInteger(lastFieldId)) {
    const message = `${lastFieldId === undefined ? IS_MISSING : 'is not an integer'}; it is the highest id that a field ever had`;
    return [{ severity: 'error', path, message }];
  }
  const highest = highestId(fields);
  const messages = [
    undecodableInteger(Number(lastFieldId)),
    highest > Number(lastFieldId)
      ? `is below ${highest}, the highest id of a field: the next field could get an id twice`
      : undefined,
  ];
  return messages
    .filter((message) => message !== undefined)
    .map((message) => ({ severity: 'advice', path, message }));
}
