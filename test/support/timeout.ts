/** Takes the place of `Timeout` in tests: it never ends, and its signal tells how long it is. */
export class Timeout implements Disposable {
  readonly signal: AbortSignal & { readonly ms: number };

  constructor(ms: number) {
    this.signal = Object.assign(new AbortController().signal, { ms });
  }

  [Symbol.dispose](): void {}
}

/** The length of a signal's timeout, in milliseconds. */
export function msOf(signal: AbortSignal | undefined): number | undefined {
  return (signal as Partial<Timeout['signal']> | undefined)?.ms;
}
