export { checkDeployment } from './doctor/deployment.ts';
export { promoEventsToCsv } from './promo-events/promo-events-csv.ts';
export { findRefusals } from './promo-events/refusals.ts';
export {
  expectSearchable,
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  type PromoEventsTableToList,
  searchPromoEvents,
} from './promo-events/search.ts';
export { SqsQueue } from './promo-events/sqs-queue.ts';
export { expectRange, readTime } from './promo-events/time.ts';
