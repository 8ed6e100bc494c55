/** Measurements of one thing, one for each round. */
export type Samples = readonly number[];

/**
 * The order of a round: forwards in even rounds, backwards in odd ones. A candidate that always follows the same one inherits
 * the effects of that one on the machine.
 */
export function inTurn<T>(all: Iterable<T>, round: number): T[] {
  return round % 2 === 0 ? [...all] : [...all].reverse();
}
