export {
  CONFIGURATION_CHANGED,
  CONFIGURATIONS_SOURCE,
  configurationChanged,
} from './history/configuration-changed.ts';
export {
  CONTENT,
  canonicalJson,
  contentDigest,
  contentOf,
  isWritten,
  type StoredContent,
} from './history/content-digest.ts';
export { type RecordedChange, recordChange } from './history/record-change.ts';
export { hasSameFields, type RolloutStep, rolloutStep } from './history/rollout-step.ts';
export { isSameAccess, shownAccess } from './history/shown-access.ts';
export { appClientsOf, toolRulesOf } from './history/tool-rules.ts';
export {
  RECORDED_BY_NEXT,
  type RecordedAccess,
  type RecordedRollout,
  type Version,
  type VersionWithContent,
} from './history/version.ts';
export { versionsOfChange } from './history/versions-of-change.ts';
export {
  listVersions,
  newestVersion,
  newestVersions,
  readVersion,
  type VersionsTable,
} from './history/versions-table.ts';
export {
  type WrittenConfiguration,
  writtenConfiguration,
} from './history/written-configuration.ts';
