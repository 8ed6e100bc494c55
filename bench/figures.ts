import type { CapacityUnits } from './measurements/capacity-units.ts';
import type { ColdFigures } from './measurements/cold.ts';
import type { GrowthStep } from './measurements/growth.ts';
import type { MemoryFigures } from './measurements/soak.ts';
import type { WarmFigures } from './measurements/warm.ts';

/** All measurements of a run. */
export interface Figures {
  readonly machine: { readonly date: string; readonly node: string; readonly cpu: string };
  /** Peers that failed the checks and were not measured, with the output of the checks. */
  readonly excluded: Readonly<Record<string, readonly string[]>>;
  /** Names of the peers that ours is judged against. */
  readonly peers: readonly string[];
  /** Size of the bundle of each of our functions, in bytes. */
  readonly functions: Readonly<Record<string, number>>;
  readonly cold: readonly ColdFigures[];
  readonly warm: readonly WarmFigures[];
  /** Cached getConfig calls, by the number of fields. */
  readonly fields: readonly GrowthStep[];
  /** promoCode/apply calls, by the number of promo events. */
  readonly events: readonly GrowthStep[];
  readonly memory: readonly MemoryFigures[];
  readonly capacityUnits: CapacityUnits;
}

/**
 * Takes a value out of a lookup that always succeeds after a complete run.
 *
 * @throws Error if it is undefined.
 */
export function measured<TFigure>(figure: TFigure | undefined): TFigure {
  if (figure === undefined) throw new Error('A figure of the report was not measured.');
  return figure;
}
