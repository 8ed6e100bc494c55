/** A request to apply a promo code to an account, as it is kept in the PromoEvents table. */
export interface PromoEvent {
  readonly clientId: string;
  readonly userId: string;
  readonly promoCode: string;
  readonly promoCodeToken?: string | undefined;
  readonly eventType: string;
  readonly source: string;
  readonly deviceId: string;
  /** When the app sent it: the `Request-Date` in its normal form. */
  readonly requestDate: string;
  /** When we took it: server time, ISO 8601. */
  readonly receivedAt: string;
}

type Application = Pick<PromoEvent, 'userId' | 'promoCode'>;

// Percent-encoded, so that user "a#b" with code "c" is not user "a" with code "b#c".
function application({ userId, promoCode }: Application): string {
  return `${encodeURIComponent(userId)}#${encodeURIComponent(promoCode)}`;
}

/** The sort key of the application of a code to an account: there is one, whichever request made it. */
export function appliedEventId(event: Application): string {
  return `${application(event)}#applied`;
}

/** The sort key of a later request for the same code and account. */
export function repeatedEventId(event: Application & Pick<PromoEvent, 'requestDate'>): string {
  return `${application(event)}#repeated#${event.requestDate}`;
}
