import type { CountMetric } from '../../core/platform/metrics.ts';

/**
 * The metrics that each function counts, by its folder. A test triggers the condition behind each of them, and another
 * checks that alarms and graphs use no others.
 */
export const EMITTED_METRICS: Readonly<Record<string, readonly CountMetric[]>> = {
  'get-config': [
    'ClientErrors',
    'ClientLockedOut',
    'FieldsLeftOut',
    'LastGoodConfigServed',
    'Responses',
    'ServerErrors',
  ],
  'apply-promo-code': [
    'ClientErrors',
    'ClientLockedOut',
    'LastGoodConfigServed',
    'PromoEventApplied',
    'PromoEventQueued',
    'PromoEventRepeated',
    'Responses',
    'ServerErrors',
    'UserBindingRefused',
  ],
  'record-configuration-versions': ['ChangedOutside', 'HarmedOutside', 'ServerErrors'],
  'store-queued-promo-events': ['PromoEventApplied', 'PromoEventRepeated', 'ServerErrors'],
};
