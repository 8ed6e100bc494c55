import type { EventPattern } from 'aws-cdk-lib/aws-events';

/** Matches each change of a configuration, but for those of `./customer-data smoke`. */
export const CHANGED_CONFIGURATIONS: EventPattern = {
  source: ['customer-data-api.configurations'],
  detailType: ['configuration-changed'],
  detail: {
    version: ['1'],
    clientId: [{ 'anything-but': { wildcard: 'smoke-*-*-*-*-*' } }],
  },
};
