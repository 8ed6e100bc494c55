import type { PromoEvent } from '../../core/promo-events/promo-event.ts';

/** The number of a client's promo events, with the first and the last time of receipt. */
export interface ClientSummary {
  readonly clientId: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

/** Summarizes promo events by client, without keeping them. */
export class PromoEventSummary {
  readonly #clients = new Map<string, ClientSummary>();

  add({ clientId, receivedAt }: PromoEvent): void {
    const { count, first, last } = this.#clients.get(clientId) ?? {
      ...{ count: 0, first: receivedAt, last: receivedAt },
    };
    this.#clients.set(clientId, {
      ...{ clientId, count: count + 1 },
      first: receivedAt < first ? receivedAt : first,
      last: receivedAt > last ? receivedAt : last,
    });
  }

  /** Returns the clients in the order of their first event here. */
  clients(): ClientSummary[] {
    return [...this.#clients.values()];
  }
}
