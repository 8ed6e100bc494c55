/**
 * The id of the canary's client. Promo events of this client are nobody's: they expire after a day,
 * count in no metric, and are not published.
 */
export const CANARY_CLIENT_ID = 'customer-data-canary';

/** The id of the alarm on the canary's own faults, which `doctor` reads. */
export const CANARY_AT_FAULT = 'CanaryAtFault';
