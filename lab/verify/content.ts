import { pick } from '../../test/support/random-numbers.ts';
import { storedForm } from './codes.ts';
import type { Attributes, Call, StoredItem } from './system.ts';

/** Chooses attributes. Two calls rarely have the same ones. */
export function someAttributes(next: () => number): Attributes {
  return {
    eventType: pick(['promo_applied', 'promo_scanned'], next()),
    source: pick(['profile', 'checkout'], next()),
    deviceId: pick(['phone', 'tablet', 'watch'], next()),
    promoCodeToken: pick([undefined, 'token-1', 'token-2'], next()),
  };
}

/** Returns what an item must have of a call, as one text without spaces. */
export function contentOf({ code, ...call }: Call, storesDeviceIds: boolean): string {
  const { eventType, source, promoCodeToken } = call;
  const deviceId = storesDeviceIds ? call.deviceId : '';
  return textOf({ promoCode: storedForm(code), eventType, source, deviceId, promoCodeToken });
}

/** Returns an item as a history has it: kind, date, content, and all else but user and client. */
export function textOfItem({ userId, clientId, ...item }: StoredItem): string {
  const { kind, requestDate, promoCode, eventType, source, deviceId, promoCodeToken, ...added } =
    item;
  const content = { promoCode, eventType, source, deviceId, promoCodeToken };
  return [kind, requestDate, textOf(content), textOf(added)].join(' ');
}

function textOf(attributes: Readonly<Record<string, string | number | undefined>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(attributes).toSorted()) {
    if (value !== undefined && value !== '') text.append(name, String(value));
  }
  return text.toString();
}
