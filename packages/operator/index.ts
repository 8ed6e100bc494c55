export type { Change, Done, Shown } from './change.ts';
export {
  type AddedAppId,
  appIdAddition,
  appIdNaming,
  appIdRevocation,
  readAppIdLabels,
  storedAppIds,
} from './clients/app-ids.ts';
export {
  appClientsChange,
  clientCreation,
  clientRemoval,
  listStates,
  stateFor,
} from './clients/clients.ts';
export {
  expectMayUpdate,
  findClient,
  listClients,
  readExistingClient,
} from './clients/configs-table.ts';
export { editedRules } from './clients/edited-rules.ts';
export { findAppIdUses } from './clients/logged-uses.ts';
export { checkFile } from './configurations/check.ts';
export { diffConfigurations } from './configurations/diff-configurations.ts';
export { openDraft, type ParsedFile, parseDraft, writeDraft } from './configurations/draft-file.ts';
export {
  earlierVersions,
  type ListedVersion,
  liveVersion,
  withNeighbours,
} from './configurations/history.ts';
export type { Draft, Plan } from './configurations/plan-change.ts';
export { publication, StoppedPublication } from './configurations/publication.ts';
export { effectsOfVersion } from './configurations/recent-changes.ts';
export { reviewChange } from './configurations/review-change.ts';
export { damageOf, readRecorded, storedRollout } from './configurations/rollouts.ts';
export { parseDevices, parsePercent } from './configurations/share.ts';
export {
  type ConfigurationTables,
  configurationTables,
  expectKnownClient,
  fileOf,
  readExistingVersion,
  readFieldsOf,
  unknownAttributes,
} from './configurations/stored-configuration.ts';
export { checkDeployment } from './doctor/deployment.ts';
export { withMessage } from './error-messages.ts';
export { ClientConflict, ConfigurationConflict, NoSuchClient } from './errors.ts';
export { type ReadOptions, readCommand } from './options.ts';
export { promoEventsToCsv } from './promo-events/promo-events-csv.ts';
export { findRefusals, type Refusals } from './promo-events/refusals.ts';
export {
  expectSearchable,
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  type PromoEventsTableToList,
  searchPromoEvents,
} from './promo-events/search.ts';
export { SqsQueue } from './promo-events/sqs-queue.ts';
export { expectRange, readTime } from './time.ts';
