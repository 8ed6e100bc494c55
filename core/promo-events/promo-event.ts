import { hash } from 'node:crypto';
import * as v from 'valibot';
import { StoredId } from '../identifiers.ts';
import { identityWithoutCase } from './code-identity.ts';

/**
 * The longest message that is read as an event, in bytes: more than any request becomes, and less
 * than fits into an item.
 */
const MESSAGE_MAX_BYTES = 128 * 1024;
/** A limit above the longest promo code, and low enough for a sort key. */
const CODE_MAX_BYTES = 64;
/** A time above the difference of two clocks of AWS. */
const AHEAD_MS = 5 * 60 * 1000;

const wellFormed = v.pipe(
  v.string(),
  v.check((value) => value.isWellFormed(), 'must not contain lone surrogates'),
);

const Code = v.pipe(
  wellFormed,
  v.nonEmpty('must not be empty'),
  v.maxBytes(CODE_MAX_BYTES, `must have at most ${CODE_MAX_BYTES} bytes in UTF-8`),
);

/** A date as `Date.prototype.toISOString` writes it. More digits may follow the milliseconds. */
export const Time = v.pipe(
  v.string(),
  v.check((value) => {
    const time = Date.parse(value);
    if (Number.isNaN(time)) return false;
    const [, milliseconds] = /^(.{23})\d{0,6}Z$/.exec(value) ?? [];
    return new Date(time).toISOString() === `${milliseconds}Z`;
  }, 'must be a time such as 2026-11-20T09:30:00.000Z'),
);

/** A request to apply a promo code to an account, as stored and queued. */
export type PromoEvent = v.InferOutput<typeof PromoEvent>;

/**
 * Whatever this schema accepts can be stored, and named in commands. A message that can never be
 * stored, or that no release could have queued, is not an event.
 */
export const PromoEvent = v.pipe(
  v.object({
    clientId: StoredId,
    userId: StoredId,
    promoCode: Code,
    /** Stands for the code in keys and searches; the code itself if it is missing. */
    codeIdentity: v.optional(Code),
    promoCodeToken: v.optional(wellFormed),
    eventType: wellFormed,
    source: wellFormed,
    /** Empty where the stage does not store it. */
    deviceId: wellFormed,
    /** Time of sending: the `Request-Date` header in its normal form. */
    requestDate: Time,
    /** Time of receipt. A later one would survive erasures. */
    receivedAt: v.pipe(
      Time,
      v.check((value) => !(Date.parse(value) > Date.now() + AHEAD_MS), 'is in the future'),
    ),
  }),
  v.check(
    ({ promoCode, codeIdentity = promoCode }) =>
      [promoCode, identityWithoutCase(promoCode)].includes(codeIdentity),
    'has the codeIdentity of another code',
  ),
);

/** An event, or the reason why a message is none. The reason quotes nothing of the message. */
export type ReadPromoEvent =
  | { readonly event: PromoEvent; readonly problem?: never }
  | { readonly event?: never; readonly problem: string };

/** Reads an event from the body of a message. Never throws. */
export function readPromoEvent(body: string): ReadPromoEvent {
  if (Buffer.byteLength(body) > MESSAGE_MAX_BYTES) return { problem: 'It is too long.' };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: 'It is not JSON.' };
  }
  const { success, output, issues } = v.safeParse(PromoEvent, value);
  if (success) return { event: output };
  return { problem: issues.map(problemOf).join(' ') };
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? 'It';
  if (issue.received === 'undefined') return `${name} is missing.`;
  // Valibot's own messages quote the value.
  return issue.kind === 'schema'
    ? `${name} must be ${issue.expected}.`
    : `${name} ${issue.message}.`;
}

/**
 * Returns the `MessageGroupId` of an event's message, with which SQS delivers those of all clients
 * fairly. It is a digest, because SQS refuses more than 128 characters, and all but ASCII.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export function messageGroupOf({ clientId }: Pick<PromoEvent, 'clientId'>): string {
  return hash('sha256', clientId);
}

type Application = Pick<PromoEvent, 'userId' | 'promoCode' | 'codeIdentity'>;

/** Returns the prefix of the sort keys of all events of a user. */
export function userPrefix(userId: string): string {
  return `${encodeURIComponent(userId)}#`;
}

// Percent-encoded, so that user "a#b" with code "c" is not user "a" with code "b#c".
function application({ userId, promoCode, codeIdentity = promoCode }: Application): string {
  return `${userPrefix(userId)}${encodeURIComponent(codeIdentity)}`;
}

/** Returns the sort key of the application of a code to an account: the same for every request. */
export function appliedEventId(event: Application): string {
  return `${application(event)}#applied`;
}

/** Returns the sort key of a later request for the same code and account. */
export function repeatedEventId(event: Application & Pick<PromoEvent, 'requestDate'>): string {
  return `${application(event)}#repeated#${event.requestDate}`;
}

/** Returns the sort key of the application that belongs to the sort key of a repetition. */
export function applicationOf(repeatedEventId: string): string {
  return repeatedEventId.replace(/#repeated#.*$/s, '#applied');
}

/** Returns the user in a sort key; undefined if somebody has written another key by hand. */
export function userOf(eventId: string): string | undefined {
  try {
    return decodeURIComponent(eventId.replace(/#.*$/s, ''));
  } catch {
    return undefined;
  }
}

/**
 * The attributes that operators may read. A code's token is omitted: a secret between app and
 * follow-on systems.
 */
export const LISTED = [
  'receivedAt',
  'kind',
  'promoCode',
  'userId',
  'eventType',
  'source',
  'deviceId',
  'requestDate',
  'codeIdentity',
  'importedAt',
] as const satisfies readonly (keyof PromoEvent | 'kind' | 'importedAt')[];
