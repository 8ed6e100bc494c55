/** Takes the place of `Timeout` in tests: it never ends, and its signal tells how long it is, and whether it was cleared. */
export class Timeout implements Disposable {
  readonly signal: AbortSignal & { readonly ms: number; isCleared: boolean };

  constructor(ms: number) {
    this.signal = Object.assign(new AbortController().signal, { ms, isCleared: false });
  }

  [Symbol.dispose](): void {
    this.signal.isCleared = true;
  }
}

/** The length of a signal's timeout, in milliseconds. */
export function msOf(signal: AbortSignal | undefined): number | undefined {
  return (signal as Partial<Timeout['signal']> | undefined)?.ms;
}

/** Whether a signal's timeout was cleared. */
export function isCleared(signal: AbortSignal | undefined): boolean | undefined {
  return (signal as Partial<Timeout['signal']> | undefined)?.isCleared;
}
