export {
  type Decide,
  type MergeConflict,
  mergeContents,
} from './configurations/merge-fields.ts';
export { mergeTexts, type RowFinding, textsToCsv } from './configurations/texts-csv.ts';
export { fromSpreadsheet, readCsv } from './csv.ts';
