export {
  applicationPrefix,
  appliedEventId,
  LISTED,
  type PromoEvent,
  type ReadPromoEvent,
  readPromoEvent,
  repeatedEventId,
  userPrefix,
} from './promo-events/promo-event.ts';
