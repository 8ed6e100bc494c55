import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from 'customer-data-api/clients';
import { fingerprintOf, joinedAppIds, readAccessLists } from 'customer-data-api/clients';
import { printable, suggested, UsageError, UserError } from 'customer-data-api-deployment/program';
import { ClientConflict, LastAppId } from '../errors.ts';
import { appIdName, readAppIdLabels } from './app-id-labels.ts';
import { changeAppIds } from './change-client.ts';
import type { ConfigsTable } from './configs-table.ts';
import { findAppId, labelled } from './find-app-id.ts';
import { type RefusedAppIds, refusedAppIds } from './refused-app-ids.ts';

/** Who changes App-Ids. */
interface Author {
  readonly by: string;
}

/**
 * Adds an App-Id to a client. The others stay valid.
 *
 * @returns the misspelled attributes that were removed with it.
 * @throws what `expectAddable` and `changeAppIds` throw.
 */
export async function addAppId(
  table: ConfigsTable,
  clientId: string,
  { appId, label }: { readonly appId: string; readonly label?: string | undefined },
  { by }: Author,
): Promise<readonly string[]> {
  const name = appIdName(fingerprintOf(appId), label === undefined ? {} : { label });
  const next = (appIds: readonly string[], item: ConfigsItem) => {
    expectAddable(item, label);
    return [...appIds, appId];
  };
  return changeAppIds(table, clientId, next, { by, message: `Added App-Id ${name}`, label });
}

/**
 * Moves App-Ids that are refused because of a typing mistake to `appIds`.
 *
 * @throws ClientConflict if the client has others by now, or what `changeAppIds` throws.
 */
export async function takeOverAppIds(
  table: ConfigsTable,
  item: ConfigsItem,
  refused: RefusedAppIds,
  { by }: Author,
): Promise<void> {
  const clientId = String(item.clientId);
  const next = (appIds: readonly string[], found: ConfigsItem) => {
    if (isDeepStrictEqual(refusedAppIds(found), refused)) return [...appIds, ...refused.appIds];
    throw new ClientConflict(clientId, 'App-Ids');
  };
  const message = `Admitted ${refused.what}, found in ${refused.from}`;
  await changeAppIds(table, clientId, next, { by, message });
}

/**
 * Revokes an App-Id of a client: requests of apps that send it are refused.
 *
 * @param text names the App-Id, as for `findAppId`.
 * @returns the misspelled attributes that were removed with it.
 * @throws what `appIdsWithout` and `changeAppIds` throw.
 */
export async function revokeAppId(
  table: ConfigsTable,
  item: ConfigsItem,
  text: string,
  { by, isLastToo = false }: Author & { readonly isLastToo?: boolean | undefined },
): Promise<readonly string[]> {
  const clientId = String(item.clientId);
  const labels = readAppIdLabels(item);
  const { appIds } = readAccessLists(item, false);
  const fingerprint = fingerprintOf(findAppId(appIds, text, clientId, labels));
  const next = (found: readonly string[]) =>
    appIdsWithout({ ...item, appIds: found }, text, isLastToo);
  const message = `Revoked App-Id ${printable(appIdName(fingerprint, labels.get(fingerprint)))}`;
  return changeAppIds(table, clientId, next, { by, message });
}

/**
 * Returns the App-Ids of a client without one of them.
 *
 * @param isLastToo true if it may be the last one.
 * @throws LastAppId, or what `findAppId` throws.
 */
export function appIdsWithout(item: ConfigsItem, text: string, isLastToo = false): string[] {
  const clientId = String(item.clientId);
  const { appIds } = readAccessLists(item, false);
  const appId = findAppId(appIds, text, clientId, readAppIdLabels(item));
  const others = appIds.filter((one) => one !== appId);
  if (others.length === 0 && !isLastToo) throw new LastAppId(clientId);
  return others;
}

/**
 * @throws UserError if `appIds` is one string with commas: a new App-Id would take its place, and
 *   those in it would be lost.
 * @throws UsageError if an App-Id of the client has the label: it could not be revoked by it.
 */
export function expectAddable(item: ConfigsItem, label: string | undefined): void {
  expectSeparateAppIds(item);
  const labels = readAppIdLabels(item);
  const [other] =
    label === undefined ? [] : labelled(readAccessLists(item, false).appIds, label, labels);
  if (other === undefined) return;
  throw new UsageError(
    `App-Id ${fingerprintOf(other)} of client ${item.clientId} is called ${printable(`${label}`)}. Choose another label.`,
  );
}

function expectSeparateAppIds(item: ConfigsItem): void {
  if (joinedAppIds(item).length === 0) return;
  throw new UserError(
    `Nothing was changed: appIds of client ${item.clientId} is one string with commas, so its App-Ids are refused. To admit them: ${suggested('keys', 'add', String(item.clientId), '--refused')}`,
    'unreadableAppIds',
  );
}
