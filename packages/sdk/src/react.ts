import { useEffect, useRef, useState } from 'react';
import { type LoadOptions, loadConfiguration } from './get-config.ts';
import type { PromoCodeQueue, PromoCodeQueueOptions } from './index.ts';
import { promoCodeQueue } from './promo-code-queue.ts';
import type { Configuration, PromoCodeApplied, Result, Session } from './types.ts';

/**
 * Loads the configuration when the component mounts, and when it renders with another
 * `session.language`. Until it is loaded, the one before stays, with what the customer has entered.
 */
export function useConfiguration(
  session: Session,
  options: LoadOptions,
): { readonly configuration: Configuration | undefined; readonly isLoading: boolean } {
  const { clientId } = options;
  const [loaded, setLoaded] = useState(new Map<string, Configuration | undefined>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: apps make the others at each render.
  useEffect(() => {
    let isCurrent = true;
    void loadConfiguration(session, options).then((found) => {
      if (isCurrent) setLoaded((before) => new Map([[clientId, found ?? before.get(clientId)]]));
    });
    return () => {
      isCurrent = false;
    };
  }, [clientId, session.language]);
  return { configuration: loaded.get(clientId), isLoading: !loaded.has(clientId) };
}

export interface PromoCodesOptions extends PromoCodeQueueOptions {
  /** Called if codes cannot be sent because the storage or a callback fails. */
  readonly onFailure: (failure: unknown) => void;
}

/** A promo code of which the customer should read. Without a result, it waits. */
export interface ToldCode {
  readonly id: string;
  readonly promoCode: string;
  readonly result: Result<PromoCodeApplied> | undefined;
}

/** Time after which the customer is told that a code waits, in milliseconds. */
const WAITS_MS = 3_000;
const SEND_AGAIN_MS = 60_000;

/**
 * Has a queue of promo codes, and sends what waits each minute, while the component is mounted: use
 * it where the app knows its customer, not on a screen that they leave. `codes` has what to tell
 * the customer. `apply` stores a code, then sends it, and rejects if it cannot be stored.
 */
export function usePromoCodes(options: PromoCodesOptions): {
  readonly codes: readonly ToldCode[];
  readonly apply: PromoCodeQueue['add'];
} {
  const owner = JSON.stringify([options.clientId, options.userId]);
  const [told, setTold] = useState(new Map<string, readonly ToldCode[]>());
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const current = useRef<PromoCodeQueue['add']>(() => Promise.reject(new Error('Not mounted.')));
  useEffect(() => {
    const tell = (code: ToldCode) =>
      setTold((before) => {
        const codes = before.get(owner) ?? [];
        const others = codes.filter(({ id }) => id !== code.id);
        // That a code waits is said once, and not after its result.
        const isNews = code.result || others.length === codes.length;
        return isNews ? new Map(before).set(owner, [...others, code]) : before;
      });
    const entered: ToldCode[] = [];
    const queue = promoCodeQueue({
      ...latest.current,
      onResult: (sent) => {
        tell({ ...sent, promoCode: sent.request.promoCode });
        latest.current.onResult?.(sent);
      },
      onKept: (kept) => {
        for (const code of entered) if (code.id === kept.id) tell(code);
        latest.current.onKept?.(kept);
      },
    });
    const send = () => void queue.send().catch((failure) => latest.current.onFailure(failure));
    current.current = async (request) => {
      const id = await queue.add(request);
      const code = { id, promoCode: request.promoCode, result: undefined };
      entered.push(code);
      setTimeout(tell, WAITS_MS, code);
      send();
      return id;
    };
    send();
    const timer = setInterval(send, SEND_AGAIN_MS);
    return () => {
      clearInterval(timer);
      queue.close();
    };
  }, [owner]);
  return { codes: told.get(owner) ?? [], apply: (request) => current.current(request) };
}
