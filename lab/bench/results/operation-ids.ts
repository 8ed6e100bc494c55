/** The operations as the spec calls them, by their folders. */
export const OPERATION_IDS = {
  'get-config': 'getConfig',
  'apply-promo-code': 'promoCode/apply',
} as const;
