/* Queues that share a storage: in the tabs of a browser, or in parts of one app. */

/** Runs functions of the same name one after the other, and returns their results. */
export type QueueLock = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** The part of `navigator` with the Web Locks API. Its types differ between TypeScript versions. */
interface Platform {
  readonly navigator: { readonly locks: { readonly request: QueueLock } };
}

/** The number of each owner, and the last function of each turn that runs or waits. */
const numbers = new WeakMap<object, number>();
const last = new Map<string, Promise<unknown>>();
let owners = 0;

/**
 * Returns the lock of an owner, for all tabs of a browser: the first owner of each is the same, and
 * so on. Where the platform has none, such as React Native, or denies it, such as a sandboxed
 * frame, the functions of the owner within the app take turns.
 */
export function lockOf(owner: object): QueueLock {
  const number = numbers.get(owner) ?? owners++;
  numbers.set(owner, number);
  return async (name, run) => {
    const turn = name + number;
    let done: ReturnType<typeof run> | undefined;
    try {
      return await (globalThis as unknown as Platform).navigator.locks.request(turn, () => {
        done = run();
        return done;
      });
    } catch (failure) {
      if (done) throw failure;
      done = Promise.resolve(last.get(turn)).then(run, run);
      last.set(turn, done);
      return done;
    }
  };
}

/** For what is stored: an app may wrap one storage in several objects. */
export const storageLock = lockOf({});

/** The part of `BroadcastChannel` that is used. React Native has none, and Node adds `unref`. */
interface Channel<T> {
  readonly postMessage: (message: T) => void;
  onmessage: (event: { readonly data: T }) => void;
  readonly unref?: () => void;
}

interface Channels<T> {
  readonly BroadcastChannel?: new (name: string) => Channel<T>;
}

const TAB = Math.random();

/**
 * Listens to the queues of that name in other tabs.
 *
 * @returns a function that sends them a message. It does nothing on platforms without tabs.
 */
export function openChannel<T>(
  name: string,
  onMessage: (message: T) => void,
): (message: T) => void {
  type Sent = { readonly tab: number; readonly message: T };
  const { BroadcastChannel } = globalThis as unknown as Channels<Sent>;
  if (!BroadcastChannel) return () => {};
  const channel = new BroadcastChannel(name);
  // A channel also gets what other channels of its own tab send.
  channel.onmessage = ({ data: { tab, message } }) => {
    if (tab !== TAB) onMessage(message);
  };
  // An open channel must not keep an app's tests running.
  channel.unref?.();
  return (message) => channel.postMessage({ tab: TAB, message });
}
