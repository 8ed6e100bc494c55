import { useEffect, useState } from 'preact/hooks';
import { attempt, Failure, read } from './api.ts';

/** What a path of the API answered: undefined while it is loading. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  /** Loads it again. */
  readonly reload: () => void;
}

/** Loads a path of the API, again whenever it changes; nothing as long as it is undefined. */
export function useLoaded<T>(path: string | undefined): Loaded<T> {
  const [count, setCount] = useState(0);
  const [answer, setAnswer] = useState<{ path: string; count: number; result: T | Failure }>();
  useEffect(() => {
    if (path === undefined) return;
    const controller = new AbortController();
    attempt(() => read<T>(path, controller.signal)).then(
      (result) => setAnswer({ path, count, result }),
      (error) => {
        if (!controller.signal.aborted) throw error;
      },
    );
    return () => controller.abort();
  }, [path, count]);
  const isCurrent = answer !== undefined && answer.path === path && answer.count === count;
  const { result } = isCurrent ? answer : {};
  const isFailure = result instanceof Failure;
  return {
    value: isFailure ? undefined : result,
    failure: isFailure ? result : undefined,
    reload: () => setCount((one) => one + 1),
  };
}
