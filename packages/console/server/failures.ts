import { inOneLine } from 'customer-data-api-deployment';
import { type ErrorCode, UserError } from 'customer-data-api-deployment/program';
import { readExistingClient } from 'customer-data-api-editor/clients';
import { fileOf, StoppedPublication } from 'customer-data-api-editor/configurations';
import { withMessage } from 'customer-data-api-editor/error-messages';
import { type ErrorFacts, isError } from 'customer-data-api-editor/errors';
import type { Call, Caller } from './call.ts';
import { versionAnswer } from './versions.ts';

/** The status of each error that is not a defect. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: 400,
  accessDenied: 403,
  noCredentials: 403,
  noSuchAppId: 404,
  noRollout: 409,
  noSuchClient: 404,
  noSuchVersion: 404,
  clientExists: 409,
  conflict: 409,
  damagedRollout: 409,
  lastAppId: 409,
  notConfirmed: 409,
  olderCommands: 409,
  rolloutRunning: 409,
  configurationConflict: 412,
  invalidConfiguration: 422,
  moreErrors: 422,
  inputsExchanged: 422,
  notUndoable: 422,
  unstorableValue: 422,
  usedIds: 422,
  versionWithoutFields: 422,
  awsCallFailed: 502,
  historyBehind: 503,
  unreachable: 503,
};

/** The body of a response to a request that failed. */
export interface FailureBody {
  readonly code: string;
  /** The text with the remedy. */
  readonly message: string;
  /** The same, if values or commands are in it. */
  readonly lines?: UserError['lines'];
  /** The outcome of a change. */
  readonly outcome?: 'nothing' | 'unknown' | 'published';
  /** The conflict with what is live, and what others have published since. */
  readonly conflict?: Awaited<ReturnType<typeof conflictOf>>;
}

/** Writes the response to an error. */
export function failed(
  status: number,
  code: string,
  message: string,
  more: Partial<FailureBody> = {},
): Response {
  return Response.json({ code, message, ...more } satisfies FailureBody, { status });
}

/**
 * Writes the response to an error that the operator can fix, with how far a change has come. After
 * a conflict, it has what others have published. Throws any other error.
 */
export async function failureOf(error: unknown, { env }: Call): Promise<Response> {
  const stopped = error instanceof StoppedPublication ? error : undefined;
  const cause = stopped ? stopped.cause : error;
  const failure = inOneLine(withMessage(cause));
  const status = failure instanceof UserError ? STATUSES[failure.code] : undefined;
  if (!(failure instanceof UserError) || status === undefined) throw cause;
  const outcome = stopped?.progress ?? 'nothing';
  const conflict = isError(cause, 'configurationConflict') && {
    conflict: await conflictOf(cause.facts, env),
  };
  const { code, message, lines } = failure;
  const hasParts = lines.some((line) => typeof line !== 'string');
  const more = { outcome, ...(hasParts && { lines }), ...conflict };
  return failed(status, code, message, more);
}

async function conflictOf(
  { clientId, reason }: ErrorFacts['configurationConflict'],
  { tables }: Caller,
) {
  const { base, fields, language } = fileOf(
    clientId,
    (await readExistingClient(tables, clientId)).live,
  );
  const described = 'since' in reason ? reason.since.described : [];
  const since = described.map(({ version, effects }) => ({
    ...(version && { version: versionAnswer(version) }),
    ...(effects && { effects }),
  }));
  const { kind } = reason;
  const version = kind === 'wasLive' && { version: versionAnswer(reason.version) };
  return { kind, theirs: { base, fields, language }, since, ...version };
}
