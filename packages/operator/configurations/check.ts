import type { ConfigsItem } from 'customer-data-api/clients';
import {
  ATTRIBUTES,
  assignIds,
  ClientId,
  checkPublication,
  type Finding,
  highestId,
  isMap,
  overruledContent,
  readField,
  withFieldNames,
} from 'customer-data-api/configuration';
import * as v from 'valibot';
import { isFree } from './base.ts';
import { derivedAttributes, IS_DERIVED } from './derived-attributes.ts';

/** Finds what is wrong with the content of a configuration file. */
export function checkFile(content: unknown): Finding[] {
  if (!isMap(content)) {
    return [error('wrongType', [], 'The file must be a map with clientId, lastFieldId and fields')];
  }
  const { base, ...item } = content;
  // One below the ids of the file is a finding.
  const { lastFieldId } = item;
  const isBelow = Array.isArray(item.fields) && Number(lastFieldId) < highestId(item.fields);
  const complete: ConfigsItem = { ...identified(item), ...(isBelow && { lastFieldId }) };
  const findings = [
    ...checkPublication(complete).map(inFile),
    ...withFieldNames(
      [...derived(complete.fields), ...usedIds(base, item.fields)],
      complete.fields,
    ),
  ];
  if (!v.is(ClientId, item.clientId)) {
    const isMissing = item.clientId === undefined;
    const isText = typeof item.clientId === 'string';
    const [code, is] = isMissing
      ? (['missing', 'is missing'] as const)
      : ([isText ? 'invalidValue' : 'notAString', 'is not a client id'] as const);
    const message = `${is}; it is the key of the client's item, a string`;
    findings.push(error(code, ['clientId'], message));
  }
  if (base !== undefined && typeof base !== 'string') {
    const message = 'was changed by hand; write the configuration into a new file with config show';
    findings.push(error('wrongType', ['base'], message));
  }
  for (const [name, use] of Object.entries(MISPLACED).filter(([name]) => name in item)) {
    findings.push(error('misplacedAttribute', [name], `does not belong in a file: ${use}`));
  }
  return findings;
}

const MISPLACED = {
  appIds: 'use the commands clients and keys',
  userPoolClientIds: 'use the commands clients and keys',
  lastChange: 'config publish writes it',
  rollout: 'start one with config publish --rollout',
  rolloutAlarm: 'config publish --stop-on-alarm writes it',
};

function error(code: Finding['code'], path: Finding['path'], message: string): Finding {
  return { severity: 'error', code, path, message };
}

/**
 * What nobody knows is a warning in an item, where somebody may keep a note. In a file, everything
 * is meant to be published.
 */
function inFile(finding: Finding): Finding {
  const { severity, path } = finding;
  const isKnown = path.length !== 1 || ATTRIBUTES.client.some((known) => known === path[0]);
  if (severity === 'error' || isKnown) return finding;
  const message =
    'is an unknown attribute; a file has clientId, base, lastFieldId, language and fields';
  return error('unknownAttribute', path, message);
}

/** Warnings of new fields with the id of a removed one, which may be that field again. */
function usedIds(base: unknown, fields: unknown): Finding[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field, index): Finding[] => {
    if (!isFree(base, Object(field).id)) return [];
    const path = ['fields', index, 'id'];
    const message =
      'may be the id of a field that was removed; leave it out, unless this is that field again';
    return [{ severity: 'warning', code: 'usedId', path, message }];
  });
}

/** Warnings of what the service derives, and the file repeats, because it has no effect. */
function derived(fields: unknown): Finding[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field, index) => {
    // What else is wrong comes first.
    const attributes = readField(field).error ? [] : derivedAttributes(field);
    const overruled = isMap(field) ? overruledContent(field).map(({ path }) => path.join()) : [];
    const repeated = attributes.filter((path) => !overruled.includes(path.join()));
    return repeated.map((attribute): Finding => {
      const path = ['fields', index, ...attribute];
      return { severity: 'warning', code: 'derivedAttribute', path, message: IS_DERIVED };
    });
  });
}

/**
 * The content of a file with an id for each field, as `assignIds` gives them, and with a
 * `lastFieldId` that follows.
 */
export function identified(content: ConfigsItem): ConfigsItem {
  const { fields, lastFieldId } = content;
  if (!Array.isArray(fields)) return content;
  // Another value is an error by itself. A field without an id is none.
  const isUsable = lastFieldId === undefined || Number.isSafeInteger(lastFieldId);
  const ids = assignIds(fields, isUsable ? Number(lastFieldId ?? 0) : 0);
  return { ...content, fields: ids.fields, ...(isUsable && { lastFieldId: ids.lastFieldId }) };
}
