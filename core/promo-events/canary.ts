/**
 * The id of the client of the canary that earlier releases had. Promo events of it that still wait
 * in a queue or a stream are nobody's: they expire after a day, count in no metric, and are not
 * published.
 */
export const CANARY_CLIENT_ID = 'customer-data-canary';
