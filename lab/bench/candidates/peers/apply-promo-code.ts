import type { RequestHeaders } from './headers.ts';
import { storePromoEvent } from './promo-events-table.ts';

const MESSAGES = {
  applied: 'The promo code was applied.',
  repeated: 'The promo code had been applied to this account before; this request was recorded.',
};

/** A valid request of `promoCode/apply`. */
export interface PromoCodeRequest {
  readonly clientId: string;
  readonly promoCode: string;
  readonly userId: string;
  readonly promoCodeToken?: string | undefined;
  readonly eventType: string;
  readonly source: string;
}

/**
 * Applies a promo code.
 *
 * @returns the `data` of the response.
 */
export async function applyPromoCode(
  request: PromoCodeRequest,
  { deviceId, requestDate }: RequestHeaders,
): Promise<{ readonly message: string; readonly outcome: keyof typeof MESSAGES }> {
  const receivedAt = new Date().toISOString();
  const event = { ...request, deviceId, requestDate, receivedAt };
  const outcome = await storePromoEvent(event);
  return { message: MESSAGES[outcome], outcome };
}
