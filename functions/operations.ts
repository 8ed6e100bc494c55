import { applyPromoCode } from './apply-promo-code/operation.ts';
import { getConfig } from './get-config/operation.ts';
import type { Operation } from './http/operation.ts';

/** The operations of the API, in the order of the documents. */
export const OPERATIONS: readonly Operation[] = [getConfig, applyPromoCode];
