export { newestEvents } from './promo-events/newest-events.ts';
