import { counted } from 'customer-data-api/configuration';
import { errors, PROMO_CODE_MAX } from 'customer-data-api/operations';
import { STORED_DAYS } from 'customer-data-api/promo-events';
import { type ErrorCode, UserError } from 'customer-data-api-deployment/program';
import { type FactsIn, filled } from '../filled.ts';

/* The sentences about promo events that several commands, or the console, have. */

/** Tells how many requests are in the queue, which has those that the table did not store. */
export function describeWaiting(count: number): string {
  if (count === 0) return 'No promo code waits in the queue.';
  const [they, them, are] = count === 1 ? ['It', 'it', 'is'] : ['They', 'them', 'are'];
  const requests = counted(count, 'request for a promo code', 'requests for promo codes');
  return `${requests} ${count === 1 ? 'waits' : 'wait'} in the queue, because the table did not store ${them}. ${they} ${are} tried again every two minutes.`;
}

/** Tells why an erasure waits. */
export function searchingAgain(seconds: number): string {
  return `Searching the table again in ${seconds} s, when all functions know of the erasure.`;
}

/** Reasons why a dead letter would come back. */
export const OBSTACLES = {
  tooOld: `It was received more than ${STORED_DAYS} days ago.`,
  noDeadLetter: 'It is not a dead letter of the event bus.',
};

/** Reasons why a row is not imported. */
export const ROW_PROBLEMS = {
  notJson: 'It is not JSON.',
  noObject: 'It is no JSON object.',
  moreValues: 'It has more values than the first row.',
  quotationMark: 'It has a quotation mark in a value: if it belongs there, use JSON.',
};

/** Reasons why the date of a row is refused; each follows the name of the column. */
export const DATE_PROBLEMS = {
  missing: 'must be a string',
  unreadable: 'must be a day or a time, in UTC or with an offset: 2024-05-31, 2024-05-31T09:30Z',
  tooEarly: 'is before 1970',
  inFuture: 'is in the future',
};

/** A refused or failed request, as it was logged. */
interface LoggedMistake {
  readonly code?: string | undefined;
  /** The mistake of an `ApiError`, or the `reason` of a header. */
  readonly mistake?: string | undefined;
  readonly why?: string | undefined;
}

/** Advice for customers, by the mistake in the log. Customers can do nothing about others. */
const ADVICE: Readonly<Record<string, string>> = {
  promoCode: `Type the code exactly as it is printed. No code has more than ${PROMO_CODE_MAX} characters.`,
  otherUser: 'The app sent the id of somebody else. Sign out of the app, and sign in again.',
  unverified: 'Confirm the e-mail address or phone number of the account first.',
  foreignAppId: 'Update the app: this version is not permitted any more.',
  wrongClock: "The phone's clock is wrong. Let the phone set its time.",
};
const BY_CODE: Readonly<Record<string, readonly [advice: string, reason: string]>> = {
  [new errors.TokenExpiredError().code]: ['Sign in again.', 'the token has expired.'],
  [new errors.ServiceUnavailableError().code]: [
    'Apply the code again: the service was not available.',
    'the service was not available.',
  ],
  [new errors.InternalServerError().code]: [
    'Apply the code again: the service failed.',
    'the service failed.',
  ],
};
const OF_THE_APP = 'There is nothing that a customer can do. Ask the developer of the app.';

/** Explains why a request was refused: to the app's developer, and to the customer. */
export function explainRefusal({ code = '', mistake = '', why = '' }: LoggedMistake) {
  const text = why.replace(/^\w*Error: /, '').replace(/\.$/, '');
  const [advice = ADVICE[mistake] ?? OF_THE_APP, reason = `${text}.`] = BY_CODE[code] ?? [];
  return { reason, advice };
}

/** Words errors that have the code `usage`, or `incomplete`. */
const wording =
  (code: ErrorCode) =>
  <const TText extends string>(text: TText) => ({ code, text });
const [usage, incomplete] = [wording('usage'), wording('incomplete')];

/** The errors that an operator can fix. */
const ERRORS = {
  deviceNotStored: usage(
    'Promo events of this deployment have no device id: search by user, code or time, or set storeDeviceIds.',
  ),
  timeInFuture: usage('{time} is in the future: now it is {now}.'),
  emptyRange: usage('The range is empty: it begins at {since} and ends at {until}.'),
  deadLettersInFlight: incomplete(
    'Messages in use elsewhere were not searched. Run it again in ten minutes.',
  ),
  tooManyDeadLetters: incomplete(
    'The dead-letter queue has too many messages to be searched. Move them back, and run it again when they are stored: `queue redrive`',
  ),
  stillMoving: incomplete('SQS goes on moving them.'),
  notAllMoved: incomplete('SQS has not moved all dead letters. Nothing is lost: run it again.'),
  tableInUse: usage(
    'The deployment uses {table} already. Name the restored table before you deploy it.',
  ),
  noSuchTable: usage('There is no table {table} in {region}.'),
  stillWritten: incomplete(
    '{late} came while the table was copied, so it is still written to. Deny it writes, and run this again.',
  ),
  noRows: usage('The file has no rows.'),
  missingColumns: usage(
    'The file must be JSON lines, or CSV whose first row names the columns {columns}: it is missing {missing}.',
  ),
  refusedRows: incomplete('Correct the {rows}, and import the file again.'),
  importTimedOut: incomplete('AWS took longer than {seconds} s. Run it again.'),
};

const FORMATS = {
  late: (count: number) => [counted(count, 'promo event')],
  rows: (count: number) => [counted(count, 'refused row')],
  columns: (names: readonly string[]) => [names.join(', ')],
  missing: (names: readonly string[]) => [names.join(', ')],
};

/** Makes an error. Times are in ISO 8601. */
export function promoError<TError extends keyof typeof ERRORS>(
  name: TError,
  facts: FactsIn<(typeof ERRORS)[TError]['text'], typeof FORMATS>,
): UserError {
  const { code, text } = ERRORS[name];
  return new UserError([filled(text, facts, FORMATS)], code);
}

/** Says of a read that failed that nothing was moved, as the functions read this table, too. */
export function nothingMoved({ message, code }: UserError): UserError {
  return new UserError(`${message} Nothing was moved: the functions read this table, too.`, code);
}
