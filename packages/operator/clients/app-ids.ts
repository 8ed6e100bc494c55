import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  appIdsIn,
  type ConfigsItem,
  fingerprintOf,
  fullFingerprint,
  isPlainAppId,
  joinedAppIds,
  type StoredClient,
} from 'customer-data-api/clients';
import { unknownInItem } from 'customer-data-api/configuration';
import { printable, suggested, UsageError, UserError } from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import type { Change, Done, Shown } from '../change.ts';
import { ClientConflict, LastAppId } from '../errors.ts';
import {
  type Authorship,
  type ConfigsTable,
  pick,
  readExistingClient,
  updateClient,
} from './configs-table.ts';

const AppIdLabel = v.object({
  /** What the App-Id is for, such as `iOS`. */
  label: v.exactOptional(v.string()),
  /** When it was added, in ISO 8601. */
  at: v.exactOptional(v.string()),
  /** Who added it. */
  by: v.exactOptional(v.string()),
});

/** What the item of a client says about an App-Id. */
export type AppIdLabel = Readonly<v.InferOutput<typeof AppIdLabel>>;

/** What the item of a client says about its App-Ids, by fingerprint. */
export type AppIdLabels = ReadonlyMap<string, AppIdLabel>;

/** An entry of `appIdLabels`: an object, or as people write it by hand, only the label. */
const Entry = v.union([
  AppIdLabel,
  v.pipe(
    v.string(),
    v.transform((label): AppIdLabel => ({ label })),
  ),
]);

const FINGERPRINT = /^[0-9a-f]{8}$/;

/** What adding an App-Id would do. */
export interface ShownAddition extends Shown {
  readonly clientId: string;
  /** The fingerprint of an App-Id that was lost; undefined for a new one. */
  readonly fingerprint: string | undefined;
  /** The attributes that look like misspellings of `appIds`. */
  readonly misspelled: readonly string[];
}

/** An App-Id that was added. */
export interface AddedAppId extends Done {
  readonly clientId: string;
  readonly appId: string;
  readonly fingerprint: string;
  /** The misspelled attributes that were removed with it. */
  readonly removed: readonly string[];
}

/**
 * Adds an App-Id to a client. The others stay valid.
 *
 * @param existing an App-Id that was lost; without it, a new one.
 */
export function appIdAddition(
  clientId: string,
  {
    existing,
    label,
  }: { readonly existing?: string | undefined; readonly label?: string | undefined },
): Change<ShownAddition, AddedAppId> {
  const fingerprint = existing === undefined ? undefined : fingerprintOf(existing);
  return {
    async show({ tables }) {
      const client = await readExistingClient(tables, clientId);
      const isKnown = existing !== undefined && client.access.appIds.includes(existing);
      if (!isKnown) expectAddable(client, existing, label);
      const misspelled = misspellingsOf(client.item, 'appIds');
      return { clientId, fingerprint, misspelled, hasEffect: !isKnown };
    },
    async apply({ tables }, _shown, by) {
      const appId = existing ?? randomUUID();
      const name = appIdName(fingerprintOf(appId), label === undefined ? {} : { label });
      const next = (client: StoredClient) => {
        expectAddable(client, existing, label);
        return [...client.access.appIds, appId];
      };
      const change = { by, message: `Added App-Id ${name}`, label };
      const removed = await changeAppIds(tables, clientId, next, change);
      return { clientId, appId, fingerprint: fingerprintOf(appId), removed };
    },
  };
}

/** App-Ids of a client that are refused because of a typing mistake. */
export interface RefusedAppIds extends Shown {
  readonly clientId: string;
  readonly appIds: readonly string[];
  /** Their names: `App-Ids 0a1b2c3d, 4e5f6071 (iOS)`. */
  readonly names: string;
  /** The attributes that have them, as text. */
  readonly attributes: string;
}

/** Moves the App-Ids of a client that are refused because of a typing mistake to `appIds`. */
export function refusedAppIdsAdmission(clientId: string): Change<RefusedAppIds, Done> {
  return {
    async show({ tables }) {
      const refused = refusedAppIds((await readExistingClient(tables, clientId)).item);
      if (refused) return refused;
      throw new UserError(
        `No App-Id of client ${clientId} is refused because of a typing mistake.`,
        'nothingFound',
      );
    },
    async apply({ tables }, refused, by) {
      const next = ({ item, access }: StoredClient) => {
        if (isDeepStrictEqual(refusedAppIds(item), refused)) {
          return [...access.appIds, ...refused.appIds];
        }
        throw new ClientConflict(clientId, 'App-Ids');
      };
      const message = `Admitted ${refused.names}, found in ${refused.attributes}`;
      await changeAppIds(tables, clientId, next, { by, message });
      return {};
    },
  };
}

/** What revoking an App-Id would do. */
export interface ShownRevocation extends Shown {
  readonly clientId: string;
  readonly fingerprint: string;
  /** The App-Id: `0a1b2c3d (iOS)`. */
  readonly name: string;
  /** The App-Ids that are left. */
  readonly left: readonly string[];
  readonly labels: AppIdLabels;
}

/** An App-Id that was revoked. */
export interface RevokedAppId extends Done {
  /** The misspelled attributes that were removed with it. */
  readonly removed: readonly string[];
}

/**
 * Revokes an App-Id of a client: requests of apps that send it are refused.
 *
 * @param text names the App-Id, as for `findAppId`.
 * @param isLastToo true if it may be the last one.
 */
export function appIdRevocation(
  clientId: string,
  text: string,
  isLastToo = false,
): Change<ShownRevocation, RevokedAppId> {
  return {
    async show({ tables }) {
      const { item, access } = await readExistingClient(tables, clientId);
      const labels = readAppIdLabels(item);
      const { appIds } = access;
      const appId = findAppId(appIds, text, clientId, labels);
      const fingerprint = fingerprintOf(appId);
      const name = printable(appIdName(fingerprint, labels.get(fingerprint)));
      const left = withoutAppId(clientId, appIds, appId, isLastToo);
      return { clientId, fingerprint, name, left, labels };
    },
    async apply({ tables }, { name, labels }, by) {
      const next = ({ access: { appIds } }: StoredClient) =>
        withoutAppId(clientId, appIds, findAppId(appIds, text, clientId, labels), isLastToo);
      const change = { by, message: `Revoked App-Id ${name}` };
      return { removed: await changeAppIds(tables, clientId, next, change) };
    },
  };
}

/** Throws LastAppId. */
function withoutAppId(
  clientId: string,
  appIds: readonly string[],
  appId: string,
  isLastToo: boolean,
): string[] {
  const left = appIds.filter((other) => other !== appId);
  if (left.length === 0 && !isLastToo) throw new LastAppId(clientId);
  return left;
}

/** What naming an App-Id would do. */
export interface ShownNaming extends Shown {
  readonly clientId: string;
  readonly fingerprint: string;
  /** The App-Id with its name before: `0a1b2c3d (iOS)`. */
  readonly name: string;
}

/**
 * Gives an App-Id of a client another name. Who added it, and when, stays.
 *
 * @param text names the App-Id, as for `findAppId`.
 */
export function appIdNaming(
  clientId: string,
  text: string,
  label: string,
): Change<ShownNaming, Done> {
  return {
    async show({ tables }) {
      const client = await readExistingClient(tables, clientId);
      const labels = readAppIdLabels(client.item);
      const appId = findAppId(client.access.appIds, text, clientId, labels);
      const fingerprint = fingerprintOf(appId);
      const own = labels.get(fingerprint);
      const hasEffect = own?.label !== label;
      if (hasEffect) expectNewLabel(client, label);
      const name = printable(appIdName(fingerprint, own));
      return { clientId, fingerprint, name, hasEffect };
    },
    async apply({ tables }, { fingerprint, name }, by) {
      const client = await readExistingClient(tables, clientId);
      const { raw, item, access } = client;
      findAppId(access.appIds, fingerprint, clientId, new Map());
      expectNewLabel(client, label);
      const entry = { ...readAppIdLabels(item).get(fingerprint), label };
      const message = `Named App-Id ${name}: ${printable(label)}`;
      const { refusal } = await updateClient(
        tables,
        clientId,
        { by, message },
        {
          before: client,
          set: {
            appIdLabels: { M: { ...raw.appIdLabels?.M, [fingerprint]: { M: marshall(entry) } } },
          },
          unchanged: pick(raw, ['appIds', 'appIdLabels']),
        },
      );
      if (refusal) throw new ClientConflict(clientId, 'App-Ids');
      return {};
    },
  };
}

/**
 * @throws UserError if `appIds` is one string with commas: a new App-Id would take its place, and
 *   those in it would be lost.
 * @throws UsageError if an App-Id of the client has the label, as it could not be revoked by it, or
 *   if the new one is only the fingerprint of one.
 */
function expectAddable(
  client: StoredClient,
  existing: string | undefined,
  label: string | undefined,
): void {
  const { item, access } = client;
  const { clientId } = item;
  if (joinedAppIds(item).length > 0) {
    throw new UserError(
      `Nothing was changed: appIds of client ${clientId} is one string with commas, so its App-Ids are refused. To admit them: ${suggested('keys', 'add', String(clientId), '--refused')}`,
      'unreadableAppIds',
    );
  }
  if (access.appIds.some((one) => fingerprintOf(one) === existing)) {
    throw new UsageError(
      `${existing} is the fingerprint of an App-Id of client ${clientId}. Apps send the App-Id itself.`,
    );
  }
  if (label !== undefined) expectNewLabel(client, label);
}

/** Throws UsageError if an App-Id of a client has the label. */
function expectNewLabel({ item, access }: StoredClient, label: string): void {
  const { clientId } = item;
  const [other] = labelled(access.appIds, label, readAppIdLabels(item));
  if (other === undefined) return;
  throw new UsageError(
    `App-Id ${fingerprintOf(other)} of client ${clientId} is called ${printable(`${label}`)}. Choose another label.`,
  );
}

/** Attempts to replace App-Ids that others change at the same time. */
const MAX_ATTEMPTS = 3;

/**
 * Replaces the App-Ids of a client if they have not changed since they were read. Otherwise it
 * starts again, so that two operators who change different App-Ids both succeed.
 *
 * The same write removes a misspelled attribute, unless it has an App-Id that would be lost.
 *
 * @param next computes the new App-Ids. It may throw, and runs again after a concurrent change.
 * @param change its author and reason, and the label of new App-Ids.
 * @returns the names of the attributes that were removed.
 * @throws NoSuchClient, or ClientConflict if the App-Ids keep changing.
 */
export async function changeAppIds(
  table: ConfigsTable,
  clientId: string,
  next: (client: StoredClient) => readonly string[],
  { label, ...change }: Authorship & { readonly label?: string | undefined },
): Promise<readonly string[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const client = await readExistingClient(table, clientId);
    const { raw, item, access } = client;
    const before = access.appIds;
    const after = next(client);
    const removed = misspellingsOf(item, 'appIds').filter((name) =>
      appIdsIn(item, name)?.every((appId) => before.includes(appId) || after.includes(appId)),
    );
    const names = ['appIds', 'appIdLabels', ...removed];
    const appIdLabels = labelsAfter(
      raw.appIdLabels,
      { before, after },
      { ...(label !== undefined && { label }), at: new Date().toISOString(), by: change.by },
    );
    const { refusal } = await updateClient(table, clientId, change, {
      before: client,
      set: {
        ...pick({}, names),
        // DynamoDB has no empty sets.
        ...(after.length > 0 && marshall({ appIds: new Set(after) })),
        ...(appIdLabels && { appIdLabels }),
      },
      unchanged: pick(raw, names),
    });
    if (!refusal) return removed;
  }
  throw new ClientConflict(clientId, 'App-Ids');
}

/** Finds attributes of an item that look like misspellings of an access list. */
export function misspellingsOf(
  item: ConfigsItem,
  attribute: 'appIds' | 'userPoolClientIds',
): string[] {
  return unknownInItem(item)
    .filter(({ meant }) => meant === attribute)
    .map(({ path: [name] }) => String(name));
}

/**
 * Finds the App-Ids in attributes that look like misspellings of `appIds`, and in an `appIds` that
 * is one string with commas.
 *
 * @returns undefined if there is no such attribute.
 * @throws UserError if one has a value that cannot be read: it would be lost.
 */
export function refusedAppIds(item: ConfigsItem): RefusedAppIds | undefined {
  const joined = joinedAppIds(item);
  const sources = [...(joined.length > 0 ? ['appIds'] : []), ...misspellingsOf(item, 'appIds')];
  if (sources.length === 0) return undefined;
  const found = sources.flatMap((name) => {
    const appIds = name === 'appIds' ? joined : appIdsIn(item, name);
    if (appIds?.every(isPlainAppId)) return appIds;
    throw new UserError(
      `Nothing was changed: the attribute ${printable(name)} contains no App-Ids, or a value that is probably not one. It must be a string set, or a list of strings, without quotes or brackets in the strings. Correct or remove it in the table.`,
      'unreadableAppIds',
    );
  });
  const attributes = sources.map(printable).join(', ');
  const appIds = [...new Set(found)].toSorted();
  const names = listed(appIds, readAppIdLabels(item));
  return { clientId: String(item.clientId), appIds, names, attributes };
}

/**
 * Reads the attribute `appIdLabels` of a client, by fingerprint of the App-Id. People edit it by
 * hand: an entry that cannot be read is left out, or that has an App-Id as its name.
 */
export function readAppIdLabels({ appIdLabels }: ConfigsItem): AppIdLabels {
  const entries = Object.entries(Object(appIdLabels)).flatMap(
    ([fingerprint, entry]): [string, AppIdLabel][] => {
      const { success, output } = v.safeParse(Entry, entry);
      return success && FINGERPRINT.test(fingerprint) ? [[fingerprint, output]] : [];
    },
  );
  return new Map(entries);
}

/**
 * Returns the attribute `appIdLabels` after a change of App-Ids: without those that are gone, and
 * with the new ones, of which one that had an entry keeps it, unless it gets another label. Entries
 * of other fingerprints stay, readable or not.
 *
 * @param stored the attribute before it, in DynamoDB's JSON.
 * @returns undefined if nothing is left in it. DynamoDB would accept an empty map.
 */
function labelsAfter(
  stored: AttributeValue | undefined,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  label: AppIdLabel,
): AttributeValue | undefined {
  const labels = { ...stored?.M };
  const [old, fresh] = [new Set(before), new Set(after)];
  for (const appId of old.difference(fresh)) delete labels[fingerprintOf(appId)];
  for (const fingerprint of [...fresh.difference(old)].map(fingerprintOf)) {
    const isKept = labels[fingerprint] !== undefined && label.label === undefined;
    if (!isKept) labels[fingerprint] = { M: marshall(label) };
  }
  return Object.keys(labels).length > 0 ? { M: labels } : undefined;
}

/** Names an App-Id for people: `1ba08bcf (iOS)`. */
export function appIdName(fingerprint: string, { label }: AppIdLabel = {}): string {
  return label === undefined ? fingerprint : `${fingerprint} (${label})`;
}

/** Names App-Ids: `App-Ids 0a1b2c3d (iOS), 4e5f6071`. */
export function listed(appIds: readonly string[], labels: AppIdLabels): string {
  const names = appIds
    .map(fingerprintOf)
    .toSorted()
    .map((fingerprint) => appIdName(fingerprint, labels.get(fingerprint)));
  return printable(`App-Id${appIds.length === 1 ? '' : 's'} ${names.join(', ')}`);
}

/** Fewer digits could name an App-Id by accident. */
const DIGITS = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, by the first digits of its fingerprint, or by its label.
 *
 * @throws UserError if it names none of them, or several. The message has no App-Id.
 */
function findAppId(
  appIds: readonly string[],
  text: string,
  clientId: string,
  labels: AppIdLabels,
): string {
  if (appIds.includes(text)) return text;
  const allDigits = (appId: string) => fullFingerprint(appId).toString('hex');
  const named = DIGITS.test(text) ? appIds.filter((one) => allDigits(one).startsWith(text)) : [];
  const found = named.length > 0 ? named : labelled(appIds, text, labels);
  const [appId, another] = found;
  if (appId !== undefined && another === undefined) return appId;
  const others = appIds.length === 0 ? 'none' : `only ${listed(appIds, labels)}`;
  const digits = found.map(named.length > 0 ? allDigits : fingerprintOf).toSorted();
  throw new UserError(
    another === undefined
      ? `Client ${clientId} has no such App-Id; it has ${others}.`
      : `${found.length} App-Ids of client ${clientId} are called ${printable(text)}: ${digits.join(', ')}. Name one by its digits.`,
    'noSuchAppId',
  );
}

/** Returns the App-Ids with a label. */
function labelled(appIds: readonly string[], label: string, labels: AppIdLabels): string[] {
  return appIds.filter((appId) => labels.get(fingerprintOf(appId))?.label === label);
}
