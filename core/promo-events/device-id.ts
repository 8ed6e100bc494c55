/**
 * Returns a promo event as a stage stores and publishes it. Where it does not store device ids, the
 * attribute is empty, which no request's is, and an event on the bus has none. An item without the
 * attribute would get that of a later request from a function that stores device ids: of the
 * release before, or of this one once the setting is on.
 */
export function asStored<T extends { readonly deviceId?: unknown }>(
  event: T,
  storesDeviceIds: boolean,
): T {
  return storesDeviceIds ? event : { ...event, deviceId: '' };
}
