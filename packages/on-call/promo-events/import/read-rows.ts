import { comparableId, isMap } from 'customer-data-api/configuration';
import { applyPromoCode } from 'customer-data-api/operations';
import { appliedEventId, identified, type PromoEvent } from 'customer-data-api/promo-events';
import { fromSpreadsheet, readCsv } from 'customer-data-api-editor/csv';
import * as v from 'valibot';
import { readTime } from '../time.ts';
import { DATE_PROBLEMS, promoError, ROW_PROBLEMS } from '../words.ts';

/** The content of a file of codes that were applied elsewhere. */
export interface Rows {
  /** One for each user and code: the first in the file. */
  readonly events: readonly PromoEvent[];
  /** The number of rows with the user and the code of one before. */
  readonly repeated: number;
  /** The rows that the service would not have accepted. */
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

/** The client that the rows are of, and the time of AWS. */
interface Subject {
  readonly clientId: string;
  readonly ignoresCase: boolean | undefined;
  readonly now: Date;
}

/** A row. A spreadsheet counts its lines in the same way. */
interface Line {
  readonly line: number;
  readonly value?: Readonly<Record<string, unknown>>;
  /** The reason why it has no value. */
  readonly problem?: string;
}

const REQUIRED = ['userId', 'promoCode', 'date'] as const;
/** The event of apps that apply a code. */
const EVENT_TYPE = 'promo_applied';
const SOURCE = 'import';
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d[\d:.]*) ?(.*))?$/;

/**
 * Reads JSON lines, or CSV whose first row names the columns. Code, user and source follow the
 * rules of requests.
 *
 * @throws UsageError without the columns, and without rows.
 */
export function readRows(text: string, { clientId, ignoresCase, now }: Subject): Rows {
  const { promoCode, userId, source } = applyPromoCode.request.entries;
  const Row = v.object({
    userId,
    promoCode,
    source: v.optional(source, SOURCE),
    date: v.pipe(
      v.string(DATE_PROBLEMS.missing),
      v.transform((date) => dateIn(date, now) ?? ''),
      v.nonEmpty(DATE_PROBLEMS.unreadable),
      v.check((date) => date === '' || date >= '1970', DATE_PROBLEMS.tooEarly),
      v.check((date) => date <= now.toISOString(), DATE_PROBLEMS.inFuture),
    ),
  });
  // Two spellings in the file are one user, whose form is that of the first row.
  const spellings = new Map<string, string>();
  const events = new Map<string, PromoEvent>();
  const refused: { line: number; reason: string }[] = [];
  const lines = /^\ufeff?\s*\{/.test(text) ? jsonLines(text) : csvLines(text);
  if (lines.length === 0) throw promoError('noRows', {});
  for (const { line, value, problem } of lines) {
    const { success, output, issues } = v.safeParse(Row, value);
    if (!success) {
      refused.push({ line, reason: problem ?? issues.map(reasonOf).join(' ') });
      continue;
    }
    const { date, ...row } = output;
    const user = comparableId(row.userId);
    const spelling = spellings.get(user) ?? row.userId;
    spellings.set(user, spelling);
    const event = {
      ...identified({ clientId, ...row, userId: spelling, eventType: EVENT_TYPE }, ignoresCase),
      deviceId: '',
      // With the time of the import, it would survive erasures, and expire later.
      requestDate: date,
      receivedAt: date,
    };
    const id = appliedEventId(event);
    if (!events.has(id)) events.set(id, event);
  }
  return {
    events: [...events.values()],
    repeated: lines.length - refused.length - events.size,
    refused,
  };
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue)} ${issue.input === undefined ? 'is required' : issue.message}.`;
}

/** Returns a date in ISO 8601. One without an offset is in UTC, on whichever machine it is read. */
function dateIn(text: string, now: Date): string | undefined {
  const [, day, time = '00:00', offset = ''] = DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  // PostgreSQL leaves out the minutes of an offset.
  const zone = offset.replace(/^[+-]\d\d$/, '$&:00') || 'Z';
  return readTime(`${day}T${time}${zone}`, now)?.start;
}

function jsonLines(text: string): Line[] {
  return text.split('\n').flatMap((json, index) => {
    if (json.trim() === '') return [];
    const line = index + 1;
    let value: unknown;
    try {
      value = JSON.parse(json.replace(/^\ufeff/, ''));
    } catch {
      return { line, problem: ROW_PROBLEMS.notJson };
    }
    return isMap(value) ? { line, value } : { line, problem: ROW_PROBLEMS.noObject };
  });
}

function csvLines(text: string): Line[] {
  const [first = [], ...rows] = readCsv(text);
  const columns = first.map((name) => name.trim());
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw promoError('missingColumns', { columns: REQUIRED, missing });
  return rows.flatMap((cells, index) => {
    if (cells.every((cell) => cell === '')) return [];
    const values = columns
      .map((name, column) => [name, fromSpreadsheet(cells[column] ?? '')])
      .filter(([name, value]) => name && value);
    const line = index + 2;
    // A separator that is not quoted shifts the values behind it.
    if (cells.slice(columns.length).some(Boolean)) {
      return { line, problem: ROW_PROBLEMS.moreValues };
    }
    // One that is not closed would become a part of the code, which cannot be taken back.
    if (cells.some((cell) => cell.includes('"'))) {
      return { line, problem: ROW_PROBLEMS.quotationMark };
    }
    return { line, value: Object.fromEntries(values) };
  });
}
