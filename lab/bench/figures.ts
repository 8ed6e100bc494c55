import type { StartFigures } from './lambda/starts.ts';
import type { LanguageFigures } from './measurements/language.ts';
import type { WarmFigures } from './measurements/warm.ts';

/** The parts of the bench, by the names that select them on the command line. */
export const PARTS = ['lambda', 'cold', 'warm', 'language', 'memory'] as const;
export type Part = (typeof PARTS)[number];

/** The measurements of all parts. */
export interface PartFigures {
  /** Starts with Lambda's share of a CPU, which needs cgroups, and with TLS. */
  readonly lambda: readonly StartFigures[];
  /** Starts of ours and the floor with a whole CPU. */
  readonly cold: readonly StartFigures[];
  readonly warm: readonly WarmFigures[];
  readonly language: LanguageFigures;
  /** Bytes in use after each number of calls. */
  readonly memory: Readonly<Record<number, number>>;
}

/** All measurements of a run. A part that is missing was not measured. */
export interface Figures extends Partial<PartFigures> {
  readonly machine: {
    readonly date: string;
    readonly node: string;
    readonly cpu: string;
    /** The load average before the measurements: what others ran. */
    readonly load: string;
  };
  /** Peers that failed the checks and were not measured, with the output of the checks. */
  readonly excluded: Readonly<Record<string, readonly string[]>>;
  /** Names of the peers that ours is judged against. */
  readonly peers: readonly string[];
  /** Size of the bundle of each of our functions, in bytes. */
  readonly functions: Readonly<Record<string, number>>;
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
