export {
  type AddedAppId,
  appIdAddition,
  appIdNaming,
  appIdRevocation,
} from './clients/app-ids.ts';
export { changeClient } from './clients/change-client.ts';
export { appClientsChange, clientCreation, clientRemoval } from './clients/client-changes.ts';
export { DELETED } from './clients/client-findings.ts';
export {
  expectKnownClient,
  expectMayUpdate,
  findClient,
  findDeletedClients,
  listClients,
  readExistingClient,
} from './clients/configs-table.ts';
export { findAppIdUses } from './clients/logged-uses.ts';
export { findRevokedUses, type RefusedAppId } from './clients/revoked-uses.ts';
export { listStates, stateForOperators } from './clients/state-for-operators.ts';
export { describeRevokedUse } from './words.ts';
