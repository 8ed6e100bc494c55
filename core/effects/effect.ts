/**
 * The effect on customers: nothing that they miss, a loss to some of them or of their answers, or
 * harm that is rarely intended. Reviews ask for harm, and an alarm reports it.
 */
export const LEVELS = ['neutral', 'loss', 'harm'] as const;
export type Level = (typeof LEVELS)[number];

/** An effect of a change on a client and its customers. */
export interface Effect {
  readonly sentence: string;
  /** The name of further effects of this kind, such as `"Colour": … more options are removed`. */
  readonly more: string;
  readonly level: Level;
}

/** Lists the sentences of the harm among some effects. */
export function harmIn(effects: readonly Effect[]): string[] {
  return effects.filter(({ level }) => level === 'harm').map(({ sentence }) => sentence);
}
