import type { CountMetric } from '../../core/runtime/metrics.ts';
import { OPERATIONS } from '../../functions/operations.ts';

/** Metrics that the function of every operation counts. */
const OF_EVERY_OPERATION: readonly CountMetric[] = [
  'ClientErrors',
  'ClientLockedOut',
  'CustomerRefused',
  'LastGoodConfigServed',
  'Responses',
  'ServerErrors',
  'SignedCall',
  'SignedCallRefused',
];

/** Metrics that some of them count besides, by their folders. */
const OF_ONE_OPERATION: Readonly<Record<string, readonly CountMetric[]>> = {
  'get-config': ['FieldsLeftOut'],
  'apply-promo-code': ['PromoEventApplied', 'PromoEventQueued', 'PromoEventRepeated'],
};

/**
 * The metrics that each function counts, by its folder. A test triggers the condition behind each
 * of them, and another checks that alarms and graphs use no others.
 */
export const EMITTED_METRICS: Readonly<Record<string, readonly CountMetric[]>> = {
  ...Object.fromEntries(
    OPERATIONS.map(({ folder }) => [
      folder,
      [...OF_EVERY_OPERATION, ...(OF_ONE_OPERATION[folder] ?? [])].sort(),
    ]),
  ),
  'check-promo-events': ['GuaranteeBroken'],
  'publish-promo-events': ['PromoEventPublished', 'ServerErrors'],
  'record-configuration-versions': ['ChangeSkipped', 'ClientHarmed', 'ManualEdit', 'ServerErrors'],
  'store-queued-promo-events': ['PromoEventApplied', 'PromoEventRepeated', 'ServerErrors'],
};
