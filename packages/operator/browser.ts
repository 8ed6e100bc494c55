export { type Decide, type MergeConflict, mergeFields } from './configurations/merge-fields.ts';
