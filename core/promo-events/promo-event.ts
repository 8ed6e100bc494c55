import * as v from 'valibot';

/** A request to apply a promo code to an account, as it is kept in the PromoEvents table and waits in the queue. */
export type PromoEvent = v.InferOutput<typeof PromoEvent>;

export const PromoEvent = v.object({
  clientId: v.string(),
  userId: v.string(),
  promoCode: v.string(),
  promoCodeToken: v.optional(v.string()),
  eventType: v.string(),
  source: v.string(),
  deviceId: v.string(),
  /** When the app sent it: the `Request-Date` in its normal form. */
  requestDate: v.string(),
  /** When we took it: server time, ISO 8601. */
  receivedAt: v.pipe(v.string(), v.isoTimestamp()),
});

/** What was read out of a message: an event, or what is wrong with it, without a word of what it holds. */
export type ReadPromoEvent =
  | { readonly event: PromoEvent; readonly problem?: never }
  | { readonly event?: never; readonly problem: string };

/** Reads an event out of a message. */
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
    (issue) => `${v.getDotPath(issue) ?? 'It'} must be ${issue.expected ?? 'another text'}.`,
  );
  return { problem: problems.join(' ') };
}

type Application = Pick<PromoEvent, 'userId' | 'promoCode'>;

/** What the sort keys of all events of a user start with. */
export function userPrefix(userId: string): string {
  return `${encodeURIComponent(userId)}#`;
}

// Percent-encoded, so that user "a#b" with code "c" is not user "a" with code "b#c".
function application({ userId, promoCode }: Application): string {
  return `${userPrefix(userId)}${encodeURIComponent(promoCode)}`;
}

/** The sort key of the application of a code to an account: there is one, whichever request made it. */
export function appliedEventId(event: Application): string {
  return `${application(event)}#applied`;
}

/** The sort key of a later request for the same code and account. */
export function repeatedEventId(event: Application & Pick<PromoEvent, 'requestDate'>): string {
  return `${application(event)}#repeated#${event.requestDate}`;
}
