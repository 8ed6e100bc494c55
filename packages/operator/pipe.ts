export { readEventPattern } from './promo-events/event-pattern.ts';
export { transformation } from './promo-events/pipe-transformation.ts';
