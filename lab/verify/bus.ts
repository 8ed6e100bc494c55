import { PROMO_EVENTS_SOURCE } from '../../core/promo-events/published-event.ts';
import { type Input, startAws } from '../../test/support/aws.ts';
import { type Call, FAULTS, startFaultProxy } from '../../test/support/fault-proxy.ts';
import type { StoredItem } from './system.ts';

/** The calls of a failing bus until they repeat: one of each fault, and three that arrive. */
const PERIOD = FAULTS.length + 3;
/** The calls until the next kill: at another fault, so that an invocation can end in between. */
const CALLS_PER_KILL = 2 * PERIOD - 1;
const CALLS = 4 * CALLS_PER_KILL;

/** A pause longer than that after which an event is sent again that the bus did not take. */
const IDLE_MS = 20_000;

export type FailingBus = Awaited<ReturnType<typeof startBus>>;

/** Starts an event bus that keeps what it takes, and fails on request. */
export async function startBus() {
  const [aws, proxy] = await Promise.all([startAws(), startFaultProxy()]);
  proxy.target = aws.endpoint;
  /** The events that the bus has taken, in the form of items. One can come again. */
  const events: StoredItem[] = [];
  let isFailing = false;
  let calls = 0;
  let lastCall = Date.now();
  aws.answer({
    PutEvents: ({ Entries }) => {
      const answers = (Entries as readonly Input[]).map((entry) => {
        const problem = isFailing ? problemOf(entry) : undefined;
        if (problem) return { ErrorCode: problem };
        if (entry.Source === PROMO_EVENTS_SOURCE) events.push(itemOf(entry));
        return { EventId: '1' };
      });
      return { Entries: answers, FailedEntryCount: 0 };
    },
  });
  return {
    url: proxy.url,
    events,
    /**
     * Fails from now on.
     *
     * @param kill is called again and again, while a call is under way.
     */
    fail: (kill: () => void) => {
      calls = 0;
      lastCall = Date.now();
      isFailing = true;
      proxy.faultOf = (call) => {
        lastCall = Date.now();
        if (isRefusedAlone(call)) return 'refused for good';
        calls++;
        if (calls % CALLS_PER_KILL === 0) kill();
        return FAULTS[calls % PERIOD];
      };
    },
    /** True if each fault has occurred, with kills at several of them. */
    hasFailed: () => calls >= CALLS,
    /** True if it fails, and nobody calls it any more. */
    isIdle: () => Date.now() - lastCall > IDLE_MS,
    work: () => {
      isFailing = false;
      proxy.faultOf = () => undefined;
    },
    stop: async () => {
      await Promise.all([aws.stop(), proxy.stop()]);
    },
  };
}

/** Two of four codes: what the bus refuses for good is a dead letter, and another waits. */
function problemOf(entry: Input): string | undefined {
  return ['InvalidArgument', 'InternalFailure'][numberOf(entry) % 4];
}

/** True for an event that was refused among others, which is then sent alone. */
function isRefusedAlone({ input }: Call): boolean {
  const { Entries } = JSON.parse(input) as { readonly Entries: readonly [Input] };
  return Entries.length === 1 && problemOf(Entries[0]) === 'InvalidArgument';
}

/** The number at the end of the code of an event. */
function numberOf({ Detail }: Input): number {
  return Number(/\d+$/.exec(JSON.parse(String(Detail)).promoCode)?.[0]);
}

/** An item as its event tells it. */
function itemOf({ DetailType, Detail }: Input): StoredItem {
  const { version: _, ...item } = JSON.parse(String(Detail));
  return { deviceId: '', ...item, kind: DetailType };
}
