import { type Problem, UnauthorizedError } from '../../../../functions/http/errors.ts';
import { parseRequestDate } from '../../../../functions/http/request-date.ts';

/** The valid headers of a request. */
export interface RequestHeaders {
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  readonly requestDate: string;
}

const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
const WINDOW_MS = Number(process.env.REQUEST_DATE_WINDOW_SECONDS) * 1000;

/**
 * Reads the headers that every operation needs.
 *
 * @param get returns the value of a header by its name in lower case.
 * @throws UnauthorizedError with the names of all missing and malformed headers.
 */
export function readHeaders(get: (name: string) => string | undefined): RequestHeaders {
  const problems: Problem[] = [];
  const read = (name: string, expected: string, parse: (value: string) => string | undefined) => {
    const value = get(name.toLowerCase())?.trim();
    const parsed = value && parse(value);
    if (!value) problems.push({ message: `The header ${name} is missing.` });
    else if (!parsed) {
      problems.push({ message: `The header ${name} is malformed: it must ${expected}.` });
    }
    return parsed || '';
  };
  const text = (value: string) => (value.length <= 128 && !/\p{Cc}/u.test(value) ? value : '');
  read('Content-Type', 'be application/json', (value) => {
    return /^application\/json[ \t]*(;|$)/i.test(value) ? value : '';
  });
  const headers = {
    idToken: read('Authorization', 'be Bearer <ID_TOKEN>', (value) => BEARER.exec(value)?.[1]),
    appId: read('App-Id', 'have 1 to 128 characters', text),
    deviceId: read('Device-Id', 'have 1 to 128 characters', text),
    requestDate: read('Request-Date', 'be a date and time in UTC, and the current one', (value) => {
      const date = parseRequestDate(value);
      return date && Math.abs(date.time - Date.now()) <= WINDOW_MS ? date.normalForm : '';
    }),
  };
  if (problems.length > 0) throw new UnauthorizedError({ problems });
  return headers;
}
