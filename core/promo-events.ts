export { appliedItem, type Retention } from './promo-events/applied-item.ts';
export { identified, identityWithoutCase } from './promo-events/code-identity.ts';
export {
  type ErasuresTable,
  erasureLookup,
  type IsErased,
  isTooOld,
  MARKER_DAYS,
  readMarkers,
  STORED_DAYS,
  UnreadableMarker,
  userHash,
} from './promo-events/erasures.ts';
export {
  appliedEventId,
  LISTED,
  type PromoEvent,
  readPromoEvent,
  repeatedEventId,
  userOf,
  userPrefix,
} from './promo-events/promo-event.ts';
export {
  PROMO_EVENTS_SOURCE,
  publishedEvent,
} from './promo-events/published-event.ts';
export { FUNCTION_TIMEOUT_SECONDS } from './runtime/timeout.ts';
