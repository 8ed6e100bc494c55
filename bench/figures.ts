import type { Operation } from './candidates.ts';
import type { ColdStarts } from './cold.ts';
import type { Cost } from './cost.ts';
import type { Step } from './growth.ts';
import type { Memory } from './soak.ts';
import type { Samples } from './statistics.ts';
import type { WarmCalls } from './warm.ts';

/** What is called: with the client's item in the cache, or read for each call. */
export const CALLS = [
  'getConfig, cached',
  'getConfig, read',
  'promoCode/apply',
  'promoCode/apply, read',
] as const;
export type Call = (typeof CALLS)[number];

/** A contestant's operation, and what was measured of it. */
interface Of<TMeasured> {
  readonly contestant: string;
  readonly measured: TMeasured;
}
export type Cold = Of<ColdStarts> & {
  readonly operation: Operation;
  readonly bytes: number;
  /** How long ours took in the same rounds. */
  readonly ours: Samples;
};
export type Warm = Of<WarmCalls> & { readonly call: Call };
export type Costs = Of<Cost> & { readonly operation: Operation };

/** All that a run has measured. */
export interface Figures {
  readonly machine: { readonly date: string; readonly node: string; readonly cpu: string };
  /** Peers that do not count, with the checks that do not hold. */
  readonly excluded: Readonly<Record<string, readonly string[]>>;
  /** Peers that count. */
  readonly peers: readonly string[];
  /** Bytes of each of our functions. */
  readonly functions: Readonly<Record<string, number>>;
  readonly cold: readonly Cold[];
  readonly warm: readonly Warm[];
  readonly fields: readonly Step[];
  readonly events: readonly Step[];
  readonly memory: readonly Memory[];
  readonly costs: readonly Costs[];
}
