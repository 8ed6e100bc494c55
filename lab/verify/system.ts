import type { Outcome } from './history.ts';

/** A request to apply a code, as an app sends it. */
export interface Call extends Attributes {
  readonly user: string;
  readonly code: string;
  readonly date: string;
}

/**
 * Attributes that a call sends besides, and that its item has unchanged. The device can be empty in
 * an item.
 */
export interface Attributes {
  readonly eventType: string;
  readonly source: string;
  readonly deviceId: string;
  readonly promoCodeToken?: string | undefined;
}

/** A system that applies codes: the service, or an adapter. */
export interface System {
  readonly users: readonly string[];
  /** True if an item has the device of its call now. */
  readonly storesDeviceIds: () => boolean;
  readonly apply: (call: Call) => Promise<Outcome>;
  /** Reads what is stored, consistently. */
  readonly read: () => Promise<readonly StoredItem[]>;
  /**
   * Reads the items that the event bus was told of, when nothing is left to be published. A system
   * without a bus has none.
   */
  readonly readBus?: () => Promise<readonly StoredItem[]>;
  /** Waits until nothing is queued. Throws if that does not happen. */
  readonly drain: () => Promise<void>;
}

/** An item, with what the service adds to it, such as `receivedAt`. */
export interface StoredItem extends Attributes {
  readonly userId: string;
  readonly promoCode: string;
  readonly requestDate: string;
  readonly kind: string;
  readonly [added: string]: string | number | undefined;
}
