import { TIMEOUT_MS, within } from './time-limit.ts';

/* Queues that share a storage: in the tabs of a browser, or in parts of one app. */

/** Runs functions of the same name one after the other, and returns their results. */
export type QueueLock = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** The part of `navigator` with the Web Locks API. Its types differ between TypeScript versions. */
interface Platform {
  readonly navigator: {
    readonly locks: {
      readonly request: (name: string, options: object, run: () => unknown) => Promise<unknown>;
    };
  };
}

/** The number of each owner, and the last function of each turn that runs or waits. */
const numbers = new WeakMap<object, number>();
const last = new Map<string, Promise<unknown>>();
let owners = 0;

/**
 * Returns the lock of an owner, for all tabs of a browser: the first owner of each is the same, and
 * so on. Where the platform has none, such as React Native, or denies it, such as a sandboxed
 * frame, the functions of the owner within the app take turns.
 *
 * @param isStolen if a function takes the turn of one that has it for longer than an attempt may
 *   take, because the system has suspended its tab. That one goes on when its tab does.
 */
export function lockOf(owner: object, isStolen?: boolean): QueueLock {
  const number = numbers.get(owner) ?? owners++;
  numbers.set(owner, number);
  return async (name, run) => {
    const turn = name + number;
    let done: ReturnType<typeof run> | undefined;
    const start = () => {
      done = run();
      return done;
    };
    const request = async (options: object) =>
      (globalThis as unknown as Platform).navigator.locks.request(turn, options, start);
    try {
      await (isStolen
        ? within(TIMEOUT_MS, (signal) => request({ signal })).catch(
            () => done ?? request({ steal: true }),
          )
        : request({}));
    } catch {}
    // One that was stolen goes on.
    if (!done) {
      done = Promise.resolve(last.get(turn)).then(run, run);
      last.set(turn, done);
    }
    return done;
  };
}

/** The lock for what is stored: an app may wrap one storage in several objects. */
export const storageLock: QueueLock = lockOf({});

/** The part of `BroadcastChannel` that is used. React Native has none, and Node adds `unref`. */
interface Channel<T> {
  readonly postMessage: (message: T) => void;
  onmessage: (event: { readonly data: T }) => void;
  readonly unref?: () => void;
  readonly close: () => void;
}

interface Channels<T> {
  readonly BroadcastChannel?: new (name: string) => Channel<T>;
}

const TAB = Math.random();

/**
 * Listens to the queues of that name in other tabs, until the signal aborts.
 *
 * @returns a function that sends them a message. It does nothing on platforms without tabs.
 */
export function openChannel<T>(
  name: string,
  onMessage: (message: T) => void,
  signal: AbortSignal,
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
  signal.addEventListener('abort', () => channel.close());
  return (message) => channel.postMessage({ tab: TAB, message });
}
