import type { ConfigsItem } from 'customer-data-api/clients';
import {
  ATTRIBUTES,
  assignIds,
  ClientId,
  checkPublication,
  counted,
  countFindings,
  type Finding,
  findingText,
  highestId,
  isMap,
} from 'customer-data-api/configuration';
import { UserError } from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import { type PlacedFinding, parseConfigurationFile } from './configuration-file.ts';
import type { Review } from './review-change.ts';

/** The form of a `base`, which is the digest of a configuration. */
const DIGEST = /^[\da-f]{64}$/;

/** Finds what is wrong with the content of a configuration file. */
export function checkFile(content: unknown): Finding[] {
  if (!isMap(content)) {
    return [error('wrongType', [], 'The file must be a map with clientId, lastFieldId and fields')];
  }
  const { base, ...item } = content;
  // One below the ids of the file is a finding.
  const { lastFieldId } = item;
  const isBelow = Array.isArray(item.fields) && Number(lastFieldId) < highestId(item.fields);
  const complete: ConfigsItem = { ...withIds(item), ...(isBelow && { lastFieldId }) };
  const findings = checkPublication(complete).map(inFile);
  if (!v.is(ClientId, item.clientId)) {
    const isMissing = item.clientId === undefined;
    const isText = typeof item.clientId === 'string';
    const [code, is] = isMissing
      ? (['missing', 'is missing'] as const)
      : ([isText ? 'invalidValue' : 'wrongType', 'is not a client id'] as const);
    const message = `${is}; it is the key of the client's item, a string`;
    findings.push(error(code, ['clientId'], message));
  }
  if (base !== undefined && !(typeof base === 'string' && DIGEST.test(base))) {
    const message = 'was changed by hand; write the configuration into a new file with config show';
    const code = typeof base === 'string' ? 'invalidValue' : 'wrongType';
    findings.push(error(code, ['base'], message));
  }
  for (const [name, use] of Object.entries(MISPLACED).filter(([name]) => name in item)) {
    findings.push(error('misplacedAttribute', [name], `does not belong in a file: ${use}`));
  }
  return findings;
}

const MISPLACED = {
  appIds: 'use the commands clients and keys',
  userPoolClientIds: 'use the commands clients and keys',
  promoCodesIgnoreCase: 'the creation of a client sets it, for good',
  lastChange: 'config publish writes it',
  rollout: 'start one with config publish --rollout',
};

function error(code: Finding['code'], path: Finding['path'], message: string): Finding {
  return { severity: 'error', code, path, message };
}

/**
 * An attribute that nobody knows is a warning in an item, where somebody may keep a note. In a
 * file, everything is meant to be published.
 */
function inFile(finding: Finding): Finding {
  const { severity, path } = finding;
  const isKnown = path.length !== 1 || ATTRIBUTES.client.some((known) => known === path[0]);
  if (severity === 'error' || isKnown) return finding;
  const message =
    'is an unknown attribute; a file has clientId, base, lastFieldId, language and fields';
  return error('unknownAttribute', path, message);
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
function errorFirst(one: Finding, other: Finding): number {
  return Number(one.severity === 'warning') - Number(other.severity === 'warning');
}

/** A finding in a line: `error: fields[1].subFieldA.maxChars: must be at least 1.` */
export function lineOf(finding: Finding): string {
  return `${finding.severity}: ${findingText(finding)}`;
}

const EXAMPLES = '\nexamples/fields has a field of each kind with all attributes.';

/** Prints a line about a finding. */
type Print = (line: string, finding: Finding) => void;

/**
 * Checks the text of a configuration file, and prints each finding in a line of its own.
 *
 * @param summarize receives the number of findings, if none is an error.
 * @param mayBeMerged if true, errors in fields are returned: a merge may replace these.
 * @throws UserError if the file has other errors.
 */
export function checkText(
  file: string,
  text: string,
  print: Print,
  summarize: (line: string) => void,
  mayBeMerged = false,
): UserError | undefined {
  const findings = findingsIn(parseConfigurationFile(text));
  for (const finding of findings) {
    const { line, column } = finding;
    print(`${file}:${line}:${column} ${lineOf(finding)}`, finding);
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const summary = errors.some(({ code }) => code === 'syntax')
    ? `${counted(errors.length, 'error')}. The rest of the file was not checked.`
    : summaryOf(findings);
  if (errors.length === 0) {
    summarize(summary);
    return undefined;
  }
  const isMissing = errors.some(({ code, path }) => code === 'missing' && path.length > 1);
  const refusal = new UserError(`${summary}${isMissing ? EXAMPLES : ''}`, 'invalidConfiguration');
  if (mayBeMerged && errors.every(({ path }) => path[0] === 'fields' && path.length > 1)) {
    return refusal;
  }
  throw refusal;
}

/** Prints the findings of the result of a merge or a rollback, which is in no file. */
export function printFindings(
  name: string,
  { findings }: Pick<Review, 'findings'>,
  print: Print,
  summarize: (line: string) => void,
): void {
  for (const finding of findings.toSorted(errorFirst)) {
    print(`${name}: ${lineOf(finding)}`, finding);
  }
  summarize(`${name}: ${summaryOf(findings)}`);
}

/** Prints the first findings only: the summary that follows counts all. */
export function printFirst(most: number, print: Print): Print {
  let printed = 0;
  return (line, finding) => {
    printed += 1;
    if (printed <= most) print(line, finding);
    else if (printed === most + 1) print('… and more, which are counted below', finding);
  };
}

/** Prints findings as lines, or as JSON documents. */
export function findingsTo(print: (line: string) => void, json = false): Print {
  return (line, finding) => print(json ? JSON.stringify(finding) : line);
}

function summaryOf(findings: readonly Finding[]): string {
  const { errors, warnings } = countFindings(findings);
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
}
