export { summarizeClient } from './clients/client-summary.ts';
export { countAppIdUses } from './clients/commands/keys/app-id-uses.ts';
export { listClients, readExistingClient, readRawClient } from './clients/configs-table.ts';
export { tryToUpdate } from './clients/update-client.ts';
export { briefly } from './configurations/brief-changes.ts';
export { type ChangeProgress, progressAfter } from './configurations/change-progress.ts';
export { check } from './configurations/commands/check.ts';
export { diffConfigurations } from './configurations/commands/diff.ts';
export {
  entriesOf,
  type HistoryEntry,
  liveVersion,
  previousVersion,
} from './configurations/history-entries.ts';
export { expectKnownClient } from './configurations/known-client.ts';
export { type PlannedChange, planPublication, planRollback } from './configurations/plan-change.ts';
export { publish } from './configurations/publish.ts';
export { changesSince, effectsOfVersion } from './configurations/recent-changes.ts';
export { reviewChange } from './configurations/review-change.ts';
export {
  type ConfigurationTables,
  configurationIn,
  fileOf,
  readStored,
} from './configurations/stored-configuration.ts';
export { configurationTables } from './configurations/tables.ts';
export { waitForVersion } from './configurations/wait-for-version.ts';
export { diagnose } from './doctor/diagnose.ts';
export { worded } from './error-messages.ts';
export { ConfigurationConflict, NoSuchClient } from './errors.ts';
export { type ReadOptions, readCommand } from './options.ts';
export { csvOf } from './promo-events/commands/promo/format.ts';
export { readTime } from './promo-events/commands/promo/time.ts';
export {
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  type PromoEventsTableToList,
} from './promo-events/list-promo-events.ts';
export { findSimilar } from './promo-events/similar-promo-events.ts';
export { Messages } from './promo-events/sqs-queue.ts';
