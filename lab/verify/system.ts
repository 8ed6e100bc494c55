import type { Outcome } from './history.ts';

/** A request to apply a code, as an app sends it. */
export interface Call {
  readonly user: string;
  readonly code: string;
  readonly date: string;
}

/** What applies codes: the service, or an adapter. */
export interface System {
  readonly users: readonly string[];
  readonly apply: (call: Call) => Promise<Outcome>;
  /** Reads what is stored, consistently. */
  readonly read: () => Promise<readonly StoredItem[]>;
  /** Waits until nothing is queued. Throws if that does not happen. */
  readonly drain: () => Promise<void>;
}

/** What a read returns of an item. */
export interface StoredItem {
  readonly userId: string;
  readonly promoCode: string;
  readonly requestDate: string;
  readonly kind: string;
}
