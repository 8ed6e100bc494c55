export { readEventPattern } from './promo-events/pipe.ts';
export { transformation } from './promo-events/pipe-transformation.ts';
