import type { RequestHeaders } from './headers.ts';
import { storePromoEvent } from './tables.ts';

const MESSAGES = {
  applied: 'The promo code was applied.',
  repeated: 'The promo code had been applied to this account before; this request was recorded.',
};

/** A request of `promoCode/apply`, validated. */
export interface Application {
  readonly clientId: string;
  readonly promoCode: string;
  readonly userId: string;
  readonly promoCodeToken?: string | undefined;
  readonly eventType: string;
  readonly source: string;
}

/** Keeps an application, and says so. */
export async function applyPromoCode(
  application: Application,
  { deviceId, requestDate }: RequestHeaders,
): Promise<{ readonly message: string }> {
  const receivedAt = new Date().toISOString();
  const event = { ...application, deviceId, requestDate, receivedAt };
  return { message: MESSAGES[await storePromoEvent(event)] };
}
