export {
  type Decide,
  type MergeConflict,
  mergeFields,
  mergeLanguage,
} from './configurations/merge-fields.ts';
export { mergeTexts, type RowFinding, textsToCsv } from './configurations/texts-csv.ts';
export { fromSpreadsheet, readCsv } from './csv.ts';
