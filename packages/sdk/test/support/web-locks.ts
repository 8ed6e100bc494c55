interface Options {
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
}

/** Makes the Web Locks API, with what a queue uses of it. */
export function webLocks() {
  /** Functions that break the lock of each name. */
  const held = new Map<string, (reason: unknown) => void>();
  const waiting = new Map<string, (() => void)[]>();

  function request(
    this: unknown,
    name: string,
    { signal, steal }: Options,
    run: () => unknown,
  ): Promise<unknown> {
    // As in browsers, `request` has to be called on its object.
    if (this !== locks) throw new TypeError('Illegal invocation');
    return new Promise((resolve, reject) => {
      const queue = waiting.get(name) ?? [];
      waiting.set(name, queue);
      const start = () => {
        held.set(name, reject);
        const end = () => {
          if (held.get(name) !== reject) return;
          held.delete(name);
          queue.shift()?.();
        };
        const done = Promise.resolve().then(run);
        done.then(end, end);
        done.then(resolve, reject);
      };
      if (steal) {
        held.get(name)?.(new DOMException('The lock was stolen.', 'AbortError'));
        start();
      } else if (held.has(name)) {
        queue.push(start);
        signal?.addEventListener('abort', () => {
          const index = queue.indexOf(start);
          if (index >= 0) queue.splice(index, 1);
          reject(signal.reason);
        });
      } else start();
    });
  }

  const locks = { request };
  return locks;
}
