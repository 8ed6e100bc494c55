/** Removes what the checks created, in reverse order, when it is disposed of. */
export class Cleanup extends AsyncDisposableStack {
  readonly #print: (line: string) => void;

  /** @param print receives a line for each failed removal. The other removals still run. */
  constructor(print: (line: string) => void) {
    super();
    this.#print = print;
  }

  /**
   * Registers a removal. Call it before creating the thing, so that a lost response leaves nothing
   * behind.
   */
  willRemove(what: string, remove: () => Promise<void>): void {
    this.defer(async () => {
      try {
        await remove();
      } catch (error) {
        this.#print(`NOT REMOVED: ${what}. Remove it by hand. ${error}`);
      }
    });
  }
}
