import { counted } from 'customer-data-api/configuration';
import { errors, PROMO_CODE_MAX } from 'customer-data-api/operations';
import { STORED_DAYS } from 'customer-data-api/promo-events';
import { suggesting, UsageError, UserError } from 'customer-data-api-deployment/program';

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

/* Errors that an operator can fix. */

export function deviceNotStored(): UsageError {
  return new UsageError(
    'Promo events of this deployment have no device id: search by user, code or time, or set storeDeviceIds.',
  );
}

/** @param time in ISO 8601, as `now` is. */
export function timeInFuture(time: string, now: string): UsageError {
  return new UsageError(`${time} is in the future: now it is ${now}.`);
}

/** @param since in ISO 8601, as `until` is. */
export function emptyRange(since: string, until: string): UsageError {
  return new UsageError(`The range is empty: it begins at ${since} and ends at ${until}.`);
}

export function deadLettersInFlight(): UserError {
  return new UserError(
    'Messages in use elsewhere were not searched. Run it again in ten minutes.',
    'incomplete',
  );
}

export function tooManyDeadLetters(): UserError {
  const text =
    'The dead-letter queue has too many messages to be searched. Move them back, and run it again when they are stored:';
  return new UserError([suggesting(text, 'queue', 'redrive')], 'incomplete');
}

/** @param isMoving true if SQS goes on, as after an interruption. */
export function notAllMoved(isMoving: boolean): UserError {
  const text = isMoving
    ? 'SQS goes on moving them.'
    : 'SQS has not moved all dead letters. Nothing is lost: run it again.';
  return new UserError(text, 'incomplete');
}

/** @param failure the error of a read of a table that the functions read, too. */
export function nothingMoved({ message, code }: UserError): UserError {
  return new UserError(`${message} Nothing was moved: the functions read this table, too.`, code);
}

export function tableInUse(table: string): UserError {
  return new UserError(
    `The deployment uses ${table} already. Name the restored table before you deploy it.`,
    'usage',
  );
}

export function noSuchTable(table: string, region: string): UserError {
  return new UserError(`There is no table ${table} in ${region}.`, 'usage');
}

/** @param late the promo events that came while the table was copied. */
export function stillWritten(late: number): UserError {
  return new UserError(
    `${counted(late, 'promo event')} came while the table was copied, so it is still written to. Deny it writes, and run this again.`,
    'incomplete',
  );
}

export function noRows(): UsageError {
  return new UsageError('The file has no rows.');
}

export function missingColumns(columns: readonly string[], missing: readonly string[]): UsageError {
  return new UsageError(
    `The file must be JSON lines, or CSV whose first row names the columns ${columns.join(', ')}: it is missing ${missing.join(', ')}.`,
  );
}

export function refusedRows(count: number): UserError {
  return new UserError(
    `Correct the ${counted(count, 'refused row')}, and import the file again.`,
    'incomplete',
  );
}

export function importTimedOut(seconds: number): UserError {
  return new UserError(`AWS took longer than ${seconds} s. Run it again.`, 'incomplete');
}
