export {
  type Decide,
  type MergeConflict,
  mergeFields,
  mergeLanguage,
} from './configurations/merge-fields.ts';
