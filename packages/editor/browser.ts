export { type Decide, mergeContents } from './configurations/merge-fields.ts';
export { madeOf, mergeTexts, textsToCsv } from './configurations/texts-csv.ts';
export type { MergeConflict } from './errors.ts';
export { conflictName, UNDO_OBSTACLES } from './words.ts';
