export { checkFile } from './configurations/check.ts';
export { compareLive, differentLines } from './configurations/diff-configurations.ts';
export { openDraft, writeDraft } from './configurations/draft-file.ts';
export { readEarlierOptions } from './configurations/earlier-options.ts';
export {
  earlierVersions,
  findManualEdits,
  firstWithRollout,
  type ListedVersion,
  liveVersion,
  waitForVersion,
  withNeighbours,
} from './configurations/history.ts';
export type { Draft, Plan } from './configurations/plan-draft.ts';
export { publication, StoppedPublication } from './configurations/publication.ts';
export { effectsOfVersion } from './configurations/recent-changes.ts';
export { reviewPlan } from './configurations/review-plan.ts';
export { damageOf, isOutdated, readRecorded } from './configurations/rollouts.ts';
export { parseDevices, parsePercent } from './configurations/share.ts';
export {
  fileOf,
  type KnownState,
  readChange,
  readExistingState,
  readFieldsOf,
} from './configurations/stored-configuration.ts';
export { undoObstacle } from './configurations/undo-obstacle.ts';
