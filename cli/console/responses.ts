import { type ErrorCode, UserError } from '../../core/user-error.ts';
import { inOneLine } from '../deployment/aws-error.ts';
import type { ChangeProgress } from '../deployment/change-progress.ts';
import { worded } from '../error-messages.ts';

/** The status of each error that is not a defect. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: 400,
  accessDenied: 403,
  noCredentials: 403,
  noSuchClient: 404,
  noSuchVersion: 404,
  notConfirmed: 409,
  olderCommands: 409,
  configurationConflict: 412,
  invalidConfiguration: 422,
  moreErrors: 422,
  unstorableValue: 422,
  versionWithoutFields: 422,
  awsCallFailed: 502,
  unreachable: 503,
};

/** An error of a change, with how far the change has come. */
export class FailedChange extends Error {
  readonly outcome: ChangeProgress;

  constructor(cause: unknown, outcome: ChangeProgress) {
    super('', { cause });
    this.outcome = outcome;
  }
}

/** Writes a response. Its type is one that the page reads: console/src/types.ts. */
export function json<T extends object>(
  body: T,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

/** Writes the response to an error. */
export function failed(status: number, code: string, message: string, more: object = {}): Response {
  return json({ error: { code, message, ...more } }, status);
}

/**
 * Writes the response to an error that the operator can fix. A response that was thrown is one
 * already. Throws any other error.
 */
export function failureOf(error: unknown): Response {
  const isChange = error instanceof FailedChange;
  const cause = isChange ? error.cause : error;
  if (cause instanceof Response) return cause;
  const failure = inOneLine(worded(cause));
  const status = failure instanceof UserError ? STATUSES[failure.code] : undefined;
  if (!(failure instanceof UserError) || status === undefined) throw cause;
  const { code, message, data } = failure;
  return failed(status, code, message, { ...data, ...(isChange && { outcome: error.outcome }) });
}
