import type { EventPattern } from 'aws-cdk-lib/aws-events';

/** Matches each applied code, but for those of `./customer-data smoke`. */
export const APPLIED_CODES: EventPattern = {
  source: ['customer-data-api.promo-events'],
  detailType: ['applied'],
  detail: {
    version: ['2'],
    clientId: [{ 'anything-but': { wildcard: 'smoke-*-*-*-*-*' } }],
  },
};
