import type { ConfigsItem } from 'customer-data-api/clients';
import {
  ATTRIBUTES,
  assignIds,
  ClientId,
  checkPublication,
  error,
  type Finding,
  findingText,
  highestId,
  isMap,
} from 'customer-data-api/configuration';
import * as v from 'valibot';
import { FILE_FINDINGS, MISPLACED } from '../words.ts';
import type { PlacedFinding, parseConfigurationFile } from './configuration-file.ts';

/** The form of a `base`, which is the digest of a configuration. */
const DIGEST = /^[\da-f]{64}$/;

/** Finds what is wrong with the content of a configuration file. */
export function checkFile(content: unknown): Finding[] {
  if (!isMap(content)) {
    return [error('wrongType', [], FILE_FINDINGS.noMap)];
  }
  const { base, ...item } = content;
  // One below the ids of the file is a finding.
  const { lastFieldId } = item;
  const isBelow = Array.isArray(item.fields) && Number(lastFieldId) < highestId(item.fields);
  const complete: ConfigsItem = { ...withIds(item), ...(isBelow && { lastFieldId }) };
  const findings = checkPublication(complete).map(inFile);
  if (!v.is(ClientId, item.clientId)) {
    const { noClientId, invalidClientId } = FILE_FINDINGS;
    findings.push(
      item.clientId === undefined
        ? error('missing', ['clientId'], noClientId)
        : error(codeOf(item.clientId), ['clientId'], invalidClientId),
    );
  }
  if (base !== undefined && !(typeof base === 'string' && DIGEST.test(base))) {
    findings.push(error(codeOf(base), ['base'], FILE_FINDINGS.changedBase));
  }
  const misplaced = Object.entries(MISPLACED).filter(([name]) => name in item);
  findings.push(
    ...misplaced.map(([name, message]) => error('misplacedAttribute', [name], message)),
  );
  return findings;
}

/** The code of a finding about a value that is no text of the right form. */
function codeOf(value: unknown): Finding['code'] {
  return typeof value === 'string' ? 'invalidValue' : 'wrongType';
}

/**
 * An attribute that nobody knows is a warning in an item, where somebody may keep a note. In a
 * file, everything is meant to be published.
 */
function inFile(finding: Finding): Finding {
  const { severity, path } = finding;
  const isKnown = path.length !== 1 || ATTRIBUTES.client.some((known) => known === path[0]);
  if (severity === 'error' || isKnown) return finding;
  return error('unknownAttribute', path, FILE_FINDINGS.unknownAttribute);
}

/**
 * The content of a file with an id for each field, as `assignIds` gives them, and with a
 * `lastFieldId` that follows.
 */
function withIds(content: ConfigsItem): ConfigsItem {
  const { fields, lastFieldId } = content;
  if (!Array.isArray(fields)) return content;
  // Another value is an error by itself. A field without an id is none.
  const isUsable = lastFieldId === undefined || Number.isSafeInteger(lastFieldId);
  const ids = assignIds(fields, isUsable ? Number(lastFieldId ?? 0) : 0);
  return { ...content, fields: ids.fields, ...(isUsable && { lastFieldId: ids.lastFieldId }) };
}

/** Finds what is wrong in a file: errors first, then warnings, each from top to bottom. */
export function findingsIn({
  findings,
  file,
}: ReturnType<typeof parseConfigurationFile>): PlacedFinding[] {
  if (!file) return [...findings];
  const placed = checkFile(file.content).map((finding) => ({
    ...finding,
    ...file.positionOf(finding.path),
  }));
  return placed.toSorted(
    (one, other) => errorFirst(one, other) || one.line - other.line || one.column - other.column,
  );
}

/** Sorts errors before warnings. */
export function errorFirst(one: Finding, other: Finding): number {
  return Number(one.severity === 'warning') - Number(other.severity === 'warning');
}

/** A finding in a line: `error: fields[1].subFieldA.maxChars: must be at least 1.` */
export function lineOf(finding: Finding): string {
  return `${finding.severity}: ${findingText(finding)}`;
}
