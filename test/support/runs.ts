/** True if searches run wholly, as `npm run test:search` lets them. */
export const IS_WHOLE = process.env.SEARCH === '1';

/**
 * The runs of a search: a property or random steps. `npm test` makes the first tenth of them, as
 * their seed is fixed: enough to notice most mistakes, in seconds.
 */
export function runs(whole: number): number {
  return IS_WHOLE ? whole : Math.ceil(whole / 10);
}
