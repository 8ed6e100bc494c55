export { type Decide, type MergeConflict, mergeContents } from './configurations/merge-fields.ts';
export { madeOf, mergeTexts, textsToCsv } from './configurations/texts-csv.ts';
export { UNDO_OBSTACLES } from './configurations/undo-texts.ts';
