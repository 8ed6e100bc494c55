import type { PromoEvent } from '../../../core/promo-events/promo-event.ts';

/** How many promo events each client has, and when the first and the last was received. It does not keep the events. */
export class PromoEventSummary {
  readonly #clients = new Map<string, { count: number; first: string; last: string }>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ clientId, receivedAt }: PromoEvent): void {
    this.#count++;
    const { count, first, last } = this.#clients.get(clientId) ?? {
      ...{ count: 0, first: receivedAt, last: receivedAt },
    };
    this.#clients.set(clientId, {
      count: count + 1,
      first: receivedAt < first ? receivedAt : first,
      last: receivedAt > last ? receivedAt : last,
    });
  }

  /** What was added, by client. */
  clients(): { clientId: string; count: number; first: string; last: string }[] {
    return [...this.#clients].map(([clientId, summary]) => ({ clientId, ...summary }));
  }

  /** A line for each client. */
  lines(): string[] {
    return this.clients().map(
      ({ clientId, count, first, last }) =>
        `  ${String(count).padStart(6)}  ${clientId}, received ${first} to ${last}`,
    );
  }
}
