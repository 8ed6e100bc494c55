/** What was made for the checks. Disposing of it removes everything, what was made last first. */
export class Made implements AsyncDisposable {
  readonly #removals: { readonly what: string; readonly remove: () => Promise<void> }[] = [];
  readonly #print: (line: string) => void;

  /** @param print is told what could not be removed; the rest is removed all the same. */
  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Call it before the thing is made, so that a lost answer leaves nothing behind. */
  willMake(what: string, remove: () => Promise<void>): void {
    this.#removals.unshift({ what, remove });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { what, remove } of this.#removals) {
      await remove().catch((error) => {
        this.#print(`NOT REMOVED: ${what}. Remove it by hand. ${error}`);
      });
    }
  }
}
