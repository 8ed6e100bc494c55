export {
  APP_IDS_USED,
  REQUEST_FAILED,
  REQUEST_REFUSED,
} from '../core/runtime/log-messages.ts';
export { functionLogGroup } from '../functions/background-functions.ts';
export { requestsPerSecond } from './api/throttling.ts';
export { readSettings, type Settings, SettingsError } from './settings/settings.ts';
export { readStage } from './settings/stage-file.ts';
export { attributeOfClaim, attributesLine, isCustomersOwn } from './settings/users.ts';
