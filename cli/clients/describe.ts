import { stripVTControlCharacters } from 'node:util';
import { type ClientSummary, countFindings } from '../../core/clients/client-summary.ts';
import { attributePath, type Finding } from '../../core/configuration/finding.ts';
import { counted, printable } from '../../core/text.ts';
import { type Output, paint } from '../terminal.ts';
import { columnsOf, wrap } from '../wrap.ts';

/** The width of the column with the ids. A longer id moves the rest of its line. */
const ID_COLUMNS = 24;

/** Where the remarks on a client are that are too long for its line on a terminal. */
const INDENTED_BELOW = '\n    ';

/** A client in one line, or on a narrow terminal in two. */
export function lineOf(client: ClientSummary, stream: Output): string {
  const { clientId, keys, fields } = client;
  const counts = [counted(fields, 'field').padStart(10), counted(keys.length, 'key').padStart(7)];
  const start = [printable(clientId).padEnd(ID_COLUMNS), ...counts].join(' ');
  const remarks = remarksOn(client, stream).join(', ');
  if (remarks === '') return start;
  const length = `${start} ${stripVTControlCharacters(remarks)}`.length;
  return `${start}${length <= columnsOf(stream) ? ' ' : INDENTED_BELOW}${remarks}`;
}

/** What needs attention, the worst first. */
function remarksOn(client: ClientSummary, stream: Output): string[] {
  const { admitsNobody, userPoolClientIds } = client;
  const { errors } = countFindings(client);
  return [
    ...(admitsNobody ? [paint('red', 'admits nobody', stream)] : []),
    ...(errors > 0 ? [paint('red', counted(errors, 'error'), stream)] : []),
    ...(userPoolClientIds === undefined ? [paint('yellow', 'any app client', stream)] : []),
  ];
}

/** A client in several lines. */
export function describeClient(client: ClientSummary, stream: Output): string[] {
  const { clientId, keys, userPoolClientIds, admitsNobody, fields, lastFieldId } = client;
  const { lastChange } = client;
  const { errors, warnings } = countFindings(client);
  const appClients =
    userPoolClientIds === undefined
      ? paint('yellow', 'any: tokens of the other clients are accepted too', stream)
      : userPoolClientIds.map(printable).join(', ') || 'none';
  const rows = {
    keys: keys.join(', ') || 'none',
    'app clients': appClients,
    fields: `${fields}, lastFieldId ${lastFieldId === undefined ? 'missing' : JSON.stringify(lastFieldId)}`,
    findings: `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    'last command': lastChange
      ? printable(`${lastChange.at} by ${lastChange.by}: ${lastChange.message}`)
      : 'none',
  };
  return [
    `Client ${printable(clientId)}${admitsNobody ? `: ${paint('red', 'admits nobody', stream)}` : ''}`,
    ...Object.entries(rows).flatMap(([name, text]) => {
      const [first = '', ...others] = wrap(text, columnsOf(stream), ' '.repeat(15));
      return [`  ${name.padEnd(12)} ${first.trimStart()}`, ...others];
    }),
  ];
}

/** A finding in a client's item. */
export function describeFinding({ severity, path, message }: Finding, stream: Output): string[] {
  const name = attributePath(path);
  const text = `${severity}: ${name && `${name} `}${message}.`;
  const [first = '', ...others] = wrap(text, columnsOf(stream), '    ');
  return [`  ${first.trimStart()}`, ...others];
}
