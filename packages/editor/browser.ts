export { type Decide, type MergeConflict, mergeContents } from './configurations/merge-fields.ts';
export { madeOf, mergeTexts, textsToCsv } from './configurations/texts-csv.ts';
export { conflictName, UNDO_OBSTACLES } from './words.ts';
