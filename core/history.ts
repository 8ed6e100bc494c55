export { canonicalJson, contentDigest } from './clients/content-digest.ts';
export { type RecordedAccess, redactedAccess } from './clients/recorded-access.ts';
export { CONTENT, contentOf, type StoredContent } from './configuration/stored-content.ts';
export {
  type WrittenConfiguration,
  writtenConfiguration,
  writtenFields,
} from './configuration/written-configuration.ts';
export { configurationChanged } from './history/configuration-changed.ts';
export { CONFIGURATION_CHANGED, CONFIGURATIONS_SOURCE } from './history/configurations-source.ts';
export { recordChange } from './history/record-change.ts';
export {
  decidedRules,
  fieldsIdentity,
  RECORDED_BY_NEXT,
  type Version,
  type VersionWithContent,
  versionIdentity,
} from './history/version.ts';
export { stateByDecidedRules, stateOfVersion } from './history/version-state.ts';
export { versionsOfChange } from './history/versions-of-change.ts';
export {
  listVersions,
  newestVersion,
  newestVersions,
  readVersion,
  type VersionsTable,
} from './history/versions-table.ts';
