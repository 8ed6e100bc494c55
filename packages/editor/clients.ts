export {
  type AddedAppId,
  appIdAddition,
  appIdNaming,
  appIdRevocation,
} from './clients/app-ids.ts';
export { changeClient } from './clients/change-client.ts';
export { DELETED } from './clients/client-findings.ts';
export {
  appClientsChange,
  clientCreation,
  clientRemoval,
  listStates,
  stateForOperators,
} from './clients/clients.ts';
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
export { describeRevokedUse } from './words.ts';
