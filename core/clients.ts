export { authorName } from './author-name.ts';
export { readItem } from './aws/attribute-values.ts';
export {
  CLIENT_ATTRIBUTES,
  type ConfigsItem,
  type RawItem,
} from './client-attributes.ts';
export { isSendableAppId } from './clients/app-id.ts';
export { fingerprintOf } from './clients/app-id-fingerprint.ts';
export { type AccessRules, acceptedAppClients, admission } from './clients/client-access.ts';
export {
  type ClientState,
  type StateOfItem,
  stateOfItem,
  storedAccess,
  unknownAttributes,
} from './clients/client-state.ts';
export {
  type LastChange,
  type NewStamp,
  newLastChange,
} from './clients/last-change.ts';
export { readClient, type StoredClient, type StoredRollout } from './clients/read-client.ts';
export { SMOKE_PREFIX } from './clients/smoke-client.ts';
export {
  type AppIdLabel,
  type StoredAppId,
  storedAppId,
  storedAppIds,
} from './clients/stored-app-ids.ts';
export { StoredConfiguration } from './clients/stored-configuration.ts';
export { itemBytes } from './configuration/item-size.ts';
