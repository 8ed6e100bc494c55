import * as v from 'valibot';

/** A request to apply a promo code to an account, as stored and queued. */
export type PromoEvent = v.InferOutput<typeof PromoEvent>;

export const PromoEvent = v.object({
  clientId: v.string(),
  userId: v.string(),
  promoCode: v.string(),
  promoCodeToken: v.optional(v.string()),
  eventType: v.string(),
  source: v.string(),
  deviceId: v.string(),
  /** Time of sending: the `Request-Date` header in its normal form. */
  requestDate: v.string(),
  /** Time of receipt, in ISO 8601. */
  receivedAt: v.pipe(v.string(), v.isoTimestamp()),
});

/** An event, or the reason why a message is none. The reason quotes nothing of the message. */
export type ReadPromoEvent =
  | { readonly event: PromoEvent; readonly problem?: never }
  | { readonly event?: never; readonly problem: string };

/** Reads an event from the body of a message. Never throws. */
export function readPromoEvent(body: string): ReadPromoEvent {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: 'It is not JSON.' };
  }
  const { success, output, issues } = v.safeParse(PromoEvent, value);
  if (success) return { event: output };
  const problems = issues.map(
    (issue) => `${v.getDotPath(issue) ?? 'It'} must be ${issue.expected ?? 'in another format'}.`,
  );
  return { problem: problems.join(' ') };
}

type Application = Pick<PromoEvent, 'userId' | 'promoCode'>;

/** Returns the prefix of the sort keys of all events of a user. */
export function userPrefix(userId: string): string {
  return `${encodeURIComponent(userId)}#`;
}

// Percent-encoded, so that user "a#b" with code "c" is not user "a" with code "b#c".
function application({ userId, promoCode }: Application): string {
  return `${userPrefix(userId)}${encodeURIComponent(promoCode)}`;
}

/** Returns the prefix of the sort keys of all requests for a code and an account. */
export function applicationPrefix(event: Application): string {
  return `${application(event)}#`;
}

/** Returns the sort key of the application of a code to an account: the same for every request. */
export function appliedEventId(event: Application): string {
  return `${application(event)}#applied`;
}

/** Returns the sort key of a later request for the same code and account. */
export function repeatedEventId(event: Application & Pick<PromoEvent, 'requestDate'>): string {
  return `${application(event)}#repeated#${event.requestDate}`;
}
