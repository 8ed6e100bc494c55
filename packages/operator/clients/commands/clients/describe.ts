import { counted, countFindings, type Finding, findingText } from 'customer-data-api/configuration';
import type { Version } from 'customer-data-api/history';
import {
  columnsOf,
  type Line,
  type Output,
  type Painted,
  paint,
  printable,
  tableRows,
  wrap,
} from 'customer-data-api-deployment/program';
import { isManualEdit } from '../../../configurations/manual-edits.ts';
import { describeVersion } from '../../../error-messages.ts';
import { appIdName } from '../../app-id-labels.ts';
import type { ClientSummary } from '../../client-summary.ts';

/** The width of the column with the ids. A longer id moves the rest of its line. */
const ID_COLUMNS = 24;

/** Where the remarks on a client begin that are too long for its line on a terminal. */
const INDENT = '    ';

const row = tableRows(ID_COLUMNS, 6, 7);

/** The headings of a list of clients. */
export const LIST_HEADINGS = row('CLIENT', 'FIELDS', 'APP-IDS', 'FINDINGS');

/** A client in one line, or on a narrow terminal in two. */
export function linesOf(client: ClientSummary, stream: Output): Line[] {
  const { clientId, fingerprints, fields } = client;
  const counts = [String(fields).padStart(6), String(fingerprints.length).padStart(7)];
  const start = row(printable(clientId), ...counts);
  const remarks = remarksOn(client);
  if (remarks.length === 0) return [start];
  const { length } = `${start}  ${remarks.map(({ text }) => text).join(', ')}`;
  const listed = remarks.flatMap((remark, index) => (index === 0 ? [remark] : [', ', remark]));
  return length <= columnsOf(stream) ? [[`${start}  `, ...listed]] : [start, [INDENT, ...listed]];
}

/** What needs attention, the worst first. */
function remarksOn(client: ClientSummary): Painted[] {
  const { isLockedOut, userPoolClientIds } = client;
  const { errors, warnings } = countFindings(client.findings);
  return [
    ...(isLockedOut ? [paint('red', 'locked out')] : []),
    ...(errors > 0 ? [paint('red', counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('yellow', counted(warnings, 'warning'))] : []),
    ...(userPoolClientIds === undefined ? [paint('yellow', 'any app client')] : []),
  ];
}

const ANY_APP_CLIENT = 'any: tokens of other clients are accepted, too';

/** A client in several lines. */
export function describeClient(client: ClientSummary, stream: Output, newest?: Version): Line[] {
  const { clientId, userPoolClientIds, isLockedOut, fields, lastFieldId } = client;
  const { fingerprints, lastChange, labels, leftOut } = client;
  const { errors, warnings } = countFindings(client.findings);
  const rows = {
    'App-Ids': fingerprints.map((one) => appIdName(one, labels[one])).join(', ') || 'none',
    'app clients': userPoolClientIds ? userPoolClientIds.join(', ') || 'none' : ANY_APP_CLIENT,
    fields: `${fields}${leftOut > 0 ? `, of which customers do not see ${leftOut}` : ''}, lastFieldId ${lastFieldId === undefined ? 'missing' : JSON.stringify(lastFieldId)}`,
    findings: `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    'last command': lastChange
      ? `${lastChange.at} by ${lastChange.by}: ${lastChange.message}`
      : 'none',
    ...(newest && isManualEdit(newest) && { 'last change': describeVersion(newest) }),
  };
  return [
    [`Client ${clientId}`, ...(isLockedOut ? [': ', paint('red', 'locked out')] : [])],
    ...Object.entries(rows).flatMap(([name, text]): Line[] => {
      const indent = ' '.repeat(15);
      const [first = '', ...others] = wrap(text, columnsOf(stream), indent).map((line) =>
        text === ANY_APP_CLIENT ? paint('yellow', line.trimStart()) : line.trimStart(),
      );
      return [[`  ${name.padEnd(12)} `, first], ...others.map((line) => [indent, line])];
    }),
  ];
}

/** A finding in a client's item. */
export function describeFinding(finding: Finding, stream: Output): string[] {
  const text = `${finding.severity}: ${findingText(finding)}`;
  const [first = '', ...others] = wrap(text, columnsOf(stream), '    ');
  return [`  ${first.trimStart()}`, ...others];
}
