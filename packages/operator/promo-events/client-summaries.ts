/** The number of a client's events, with the first and the last of their times. */
export interface ClientSummary {
  readonly clientId: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

/** Counts events by client. */
export class ClientSummaries {
  readonly #clients = new Map<string, ClientSummary>();

  /** @param time when the event was received. */
  add(clientId: string, time: string): void {
    const { count = 0, first = time, last = time } = this.#clients.get(clientId) ?? {};
    this.#clients.set(clientId, {
      clientId,
      count: count + 1,
      first: time < first ? time : first,
      last: time > last ? time : last,
    });
  }

  /** Returns them in the order of the clients' ids. */
  sorted(): ClientSummary[] {
    return [...this.#clients.values()].sort((one, other) =>
      one.clientId < other.clientId ? -1 : 1,
    );
  }
}

/** The number of events in summaries. */
export function totalOf(summaries: readonly ClientSummary[]): number {
  return summaries.reduce((sum, { count }) => sum + count, 0);
}
