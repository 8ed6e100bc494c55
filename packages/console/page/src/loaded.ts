import { useEffect, useState } from 'preact/hooks';
import { type Answer, read } from './api.ts';

/** What the API answered. While it is asked again, the value is the one before. */
export interface Loaded<T> extends Answer<T> {
  readonly isLoading: boolean;
  /** Asks again. */
  readonly reload: () => void;
}

/** Loads a path of the API, again whenever it changes; nothing as long as it is undefined. */
export function useLoaded<T>(path: string | undefined): Loaded<T> {
  return useAnswer<T>(path, (signal) => read(path ?? '', signal));
}

/** Asks the API, again whenever the key changes; nothing as long as it is undefined. */
export function useAnswer<T>(
  key: unknown,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
): Loaded<T> {
  const [count, setCount] = useState(0);
  const [answer, setAnswer] = useState<Answer<T> & { key?: unknown; count?: number }>({});
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    void ask(controller.signal).then((result) => {
      if (!controller.signal.aborted) setAnswer({ ...result, key, count });
    });
    return () => controller.abort();
  }, [key, count]);
  const isLoading = key !== undefined && (answer.key !== key || answer.count !== count);
  return {
    isLoading,
    value: answer.key === key ? answer.value : undefined,
    failure: isLoading ? undefined : answer.failure,
    reload: () => setCount((one) => one + 1),
  };
}
