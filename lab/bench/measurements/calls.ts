import type { Bundle, Bundles } from '../candidates/candidate.ts';
import { FLOOR } from '../candidates/candidates.ts';
import { READ_EACH_TIME, READ_ONCE } from '../environment/environment.ts';

/**
 * The kinds of warm calls: with the client's item in the cache, or with a read of the item in each
 * call.
 */
export const CALLS = [
  'getConfig, cached',
  'getConfig, read',
  'promoCode/apply',
  'promoCode/apply, read',
] as const;
export type Call = (typeof CALLS)[number];

/** A function together with one kind of call. */
export interface CalledFunction {
  readonly bundle: Bundle;
  readonly call: Call;
  /** Replace environment variables of the stack. */
  readonly variables: NodeJS.ProcessEnv;
  /** True if the calls are answered without DynamoDB. */
  readonly isCached: boolean;
}

/**
 * The calls of a candidate to measure. The floor has no cache, and applies a code without reading
 * the client.
 */
export function calledFunctions(bundles: Bundles): readonly CalledFunction[] {
  const getConfig = bundles['get-config'];
  const apply = bundles['apply-promo-code'];
  const read = { variables: READ_EACH_TIME, isCached: false };
  const withoutCache: readonly CalledFunction[] = [
    { bundle: getConfig, call: 'getConfig, read', ...read },
    { bundle: apply, call: 'promoCode/apply', variables: READ_ONCE, isCached: false },
  ];
  if (getConfig.candidate === FLOOR.name) return withoutCache;
  return [
    { bundle: getConfig, call: 'getConfig, cached', variables: READ_ONCE, isCached: true },
    ...withoutCache,
    { bundle: apply, call: 'promoCode/apply, read', ...read },
  ];
}
