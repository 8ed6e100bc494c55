import { setImmediate } from 'node:timers/promises';
import type { StateOfItem } from 'customer-data-api/clients';
import { countFindings, listOf } from 'customer-data-api/configuration';
import type { ConfigurationTables, Deployment } from 'customer-data-api-deployment';
import { DELETED, findDeletedClients, listStates } from 'customer-data-api-editor/clients';
import { findManualEdits } from 'customer-data-api-editor/configurations';

/** The time for which what was found is kept, in milliseconds. */
const KEPT_MS = 300_000;

/** The findings in a client. */
type Found = Partial<ReturnType<typeof foundIn>> &
  Pick<StateOfItem, 'clientId' | 'isLockedOut'> &
  ReturnType<typeof countFindings> & {
    /** Its newest manual edit that is not settled, and the version before. */
    readonly edit?: { readonly at: string; readonly version: number; readonly before?: number };
    /** The time at which it was removed manually. */
    readonly removedAt?: string;
  };

/**
 * Finds what is wrong with the clients of a deployment, and keeps it: with thousands of clients, it
 * takes a minute to read them all. A client that is known to have changed is read again alone.
 */
export class FoundClients {
  readonly #tables: ConfigurationTables;
  readonly #deployment: Deployment;
  #found: ReadonlyMap<string, Found> = new Map();
  #reading: Promise<void> | undefined;
  #readAt = 0;
  readonly #changed = new Set<string>();

  constructor(tables: ConfigurationTables, deployment: Deployment) {
    this.#tables = tables;
    this.#deployment = deployment;
  }

  /** Returns what was found, and when all were read: now, if `isAgain`. */
  async all(isAgain: boolean) {
    const isOld = !this.#reading || isAgain || Date.now() - this.#readAt > KEPT_MS;
    if (isOld) this.#readAt = Date.now();
    // One after the other, whether or not the one before failed.
    const before = this.#reading?.catch(() => {}) ?? Promise.resolve();
    this.#reading = before.then(() => (isOld ? this.#read() : this.#readChanged()));
    try {
      await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
    return { at: new Date(this.#readAt).toISOString(), clients: [...this.#found.values()] };
  }

  /** A client was changed: it is read again before it is shown. */
  changed(clientId: string): void {
    this.#changed.add(clientId);
  }

  /** Notes which clients others have changed since they were read, by what a list has of them. */
  compare(listed: readonly Pick<StateOfItem, 'clientId' | 'isLockedOut' | 'lastChange'>[]): void {
    if (this.#found.size === 0) return;
    const gone = new Map(this.#found);
    for (const { clientId, isLockedOut, lastChange } of listed) {
      const { isLockedOut: was, change } = gone.get(clientId) ?? {};
      if (was !== isLockedOut || change !== lastChange?.id) this.changed(clientId);
      gone.delete(clientId);
    }
    for (const { clientId, removedAt } of gone.values()) if (!removedAt) this.changed(clientId);
  }

  async #readChanged(): Promise<void> {
    const clientIds = [...this.#changed];
    this.#changed.clear();
    if (clientIds.length > 0) await this.#read(clientIds);
  }

  async #read(clientIds?: readonly string[]): Promise<void> {
    const found = new Map(clientIds && this.#found);
    for (const clientId of clientIds ?? []) found.delete(clientId);
    const existing = new Set<string>();
    for await (const state of listStates(this.#tables, this.#deployment, clientIds)) {
      // Other calls are answered in between.
      await setImmediate();
      found.set(state.clientId, foundIn(state));
      existing.add(state.clientId);
    }
    const edits = await findManualEdits(this.#tables, [...existing]);
    for (const { clientId, at, version, older } of edits) {
      const edit = { at, version, ...(older && { before: older.version }) };
      found.set(clientId, { ...NOTHING, clientId, ...found.get(clientId), edit });
    }
    for await (const one of findDeletedClients(this.#tables, existing, clientIds)) {
      // A removal by a command that was just made may not be recorded.
      if (clientIds && !one.isDeleted) continue;
      const { clientId, at } = one;
      const worst = { errors: 1, isLockedOut: true, worst: DELETED };
      found.set(clientId, { ...NOTHING, ...worst, clientId, removedAt: at });
    }
    this.#found = found;
  }
}

const NOTHING = { isLockedOut: false, errors: 0, warnings: 0 };

function foundIn(state: StateOfItem) {
  const { clientId, live, isLockedOut, findings, lastChange, rollout } = state;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const worst = errors.find(({ code }) => code === 'lockedOut') ?? errors[0];
  return {
    clientId,
    isLockedOut,
    /** The id of its last change by a tool. */
    change: lastChange?.id,
    fields: listOf(live.attributes.fields).length,
    ...countFindings(findings),
    /** The error to repair first. */
    ...(worst && { worst }),
    ...(rollout && { rollout: { percent: rollout.percent, devices: rollout.devices.length } }),
  };
}
