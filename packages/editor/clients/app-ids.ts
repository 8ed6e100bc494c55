import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type ConfigsItem,
  fingerprintOf,
  fullFingerprint,
  isSendableAppId,
  type StoredClient,
} from 'customer-data-api/clients';
import type { ConfigsTable } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { printable, UsageError, UserError } from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import { type Authorship, changeClient } from './change-client.ts';
import { readExistingClient } from './configs-table.ts';
import { LastAppId } from './errors.ts';

const AppIdLabel = v.object({
  /** The purpose of the App-Id, such as `iOS`. */
  label: v.exactOptional(v.string()),
  /** When it was added, in ISO 8601. */
  at: v.exactOptional(v.string()),
  /** Who added it. */
  by: v.exactOptional(v.string()),
});

/** The label of an App-Id in the item of a client. */
export type AppIdLabel = Readonly<v.InferOutput<typeof AppIdLabel>>;

/** The labels in the item of a client, by the fingerprint of the App-Id. */
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

/** A value in the attribute `appIds`: an App-Id, or what somebody wrote there by hand. */
export interface StoredAppId {
  readonly value: AttributeValue;
  /** All digits of its digest; of what is no string, of its JSON. */
  readonly digest: string;
  /** The first of these digits. */
  readonly fingerprint: string;
  /** True if apps can use it. */
  readonly isAppId: boolean;
}

/** Lists the values in the attribute `appIds` of a client. */
export function storedAppIds({ raw, lists }: StoredClient): StoredAppId[] {
  const readable = new Set(lists.appIds.filter(isSendableAppId));
  return valuesOf(raw.appIds).map((value) =>
    storedAppId(value, value.S !== undefined && readable.has(value.S)),
  );
}

function storedAppId(value: AttributeValue, isAppId: boolean): StoredAppId {
  const text = value.S ?? JSON.stringify(value);
  const digest = fullFingerprint(text).toString('hex');
  return { value, digest, fingerprint: fingerprintOf(text), isAppId };
}

function valuesOf(stored: AttributeValue | undefined): AttributeValue[] {
  if (!stored) return [];
  return (
    stored.L ??
    stored.SS?.map((S) => ({ S })) ??
    stored.NS?.map((N) => ({ N })) ??
    stored.BS?.map((B) => ({ B })) ?? [stored]
  );
}

/** Returns the attribute that has some values: a string set, unless one is no string. */
function attributeOf(values: readonly StoredAppId[]): AttributeValue | undefined {
  // DynamoDB has no empty sets, and none with an empty string.
  if (values.length === 0) return undefined;
  const texts = values.flatMap(({ value: { S } }) => S || []);
  return texts.length === values.length
    ? { SS: [...new Set(texts)] }
    : { L: values.map(({ value }) => value) };
}

/** The effect of adding an App-Id. */
export interface ShownAddition extends Shown {
  readonly clientId: string;
  /** The fingerprint of an App-Id that was lost; undefined for a new one. */
  readonly fingerprint: string | undefined;
}

/** An App-Id that was added. */
export interface AddedAppId extends Done {
  readonly clientId: string;
  readonly appId: string;
  readonly fingerprint: string;
}

/**
 * Adds an App-Id to a client. All other values stay, also those that no app can use.
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
  const lost = existing === undefined ? undefined : fingerprintOf(existing);
  return {
    async show({ tables }) {
      const client = await readExistingClient(tables, clientId);
      const isKnown = existing !== undefined && client.lists.appIds.includes(existing);
      if (!isKnown) expectAddable(client, existing, label);
      return { clientId, fingerprint: lost, hasEffect: !isKnown };
    },
    async apply({ tables }, _shown, by) {
      const appId = existing ?? randomUUID();
      const added = storedAppId({ S: appId }, true);
      const { fingerprint } = added;
      const name = appIdName(fingerprint, label === undefined ? {} : { label });
      const next = (client: StoredClient) => {
        expectAddable(client, existing, label);
        return [...storedAppIds(client).filter((one) => one.digest !== added.digest), added];
      };
      await changeAppIds(tables, clientId, next, { by, message: `Added App-Id ${name}`, label });
      return { clientId, appId, fingerprint };
    },
  };
}

/** The effect of revoking an App-Id. */
export interface ShownRevocation extends Shown {
  readonly clientId: string;
  readonly fingerprint: string;
  /** The App-Id: `0a1b2c3d (iOS)`. */
  readonly name: string;
  /** The fingerprints of the values that are left. */
  readonly left: readonly string[];
  readonly labels: AppIdLabels;
}

/**
 * Revokes an App-Id of a client, but not the last one: requests of apps that send it are refused.
 * Also removes a value that no app can use.
 *
 * @param text names the App-Id, as for `findAppId`.
 */
export function appIdRevocation(clientId: string, text: string): Change<ShownRevocation, Done> {
  const without = (client: StoredClient, { digest }: StoredAppId) => {
    const left = storedAppIds(client).filter((one) => one.digest !== digest);
    if (!left.some(({ isAppId }) => isAppId)) throw new LastAppId(clientId);
    return left;
  };
  return {
    async show({ tables }) {
      const client = await readExistingClient(tables, clientId);
      const labels = readAppIdLabels(client.item);
      const found = findAppId(client, text, labels);
      const { fingerprint } = found;
      const name = printable(appIdName(fingerprint, labels.get(fingerprint)));
      const left = without(client, found).map((one) => one.fingerprint);
      return { clientId, fingerprint, name, left, labels };
    },
    async apply({ tables }, { name, labels }, by) {
      const next = (client: StoredClient) => without(client, findAppId(client, text, labels));
      await changeAppIds(tables, clientId, next, { by, message: `Revoked App-Id ${name}` });
      return {};
    },
  };
}

/** The effect of naming an App-Id. */
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
      const { fingerprint } = findAppId(client, text, labels);
      const own = labels.get(fingerprint);
      const hasEffect = own?.label !== label;
      if (hasEffect) expectNewLabel(client, label);
      const name = printable(appIdName(fingerprint, own));
      return { clientId, fingerprint, name, hasEffect };
    },
    async apply({ tables }, { fingerprint, name }, by) {
      const message = `Named App-Id ${name}: ${printable(label)}`;
      await changeClient(tables, clientId, { by, message }, (client) => {
        const { raw, item } = client;
        findAppId(client, fingerprint, new Map());
        expectNewLabel(client, label);
        const entry = { ...readAppIdLabels(item).get(fingerprint), label };
        const M = { ...raw.appIdLabels?.M, [fingerprint]: { M: marshall(entry) } };
        return { appIds: raw.appIds, appIdLabels: { M } };
      });
      return {};
    },
  };
}

/**
 * @throws UsageError if an App-Id of the client has the label, as it could not be revoked by it, or
 *   if the new one is only the fingerprint of one.
 */
function expectAddable(
  client: StoredClient,
  existing: string | undefined,
  label: string | undefined,
): void {
  if (storedAppIds(client).some(({ fingerprint }) => fingerprint === existing)) {
    throw new UsageError(
      `${existing} is the fingerprint of an App-Id of client ${client.item.clientId}. Apps send the App-Id itself.`,
    );
  }
  if (label !== undefined) expectNewLabel(client, label);
}

/** Throws UsageError if an App-Id of a client has the label. */
function expectNewLabel(client: StoredClient, label: string): void {
  const [other] = labelled(client, label, readAppIdLabels(client.item));
  if (other === undefined) return;
  throw new UsageError(
    `App-Id ${other.fingerprint} of client ${client.item.clientId} is called ${printable(`${label}`)}. Choose another label.`,
  );
}

/**
 * Replaces the App-Ids of a client.
 *
 * @param next computes the new App-Ids. It may throw, and runs again after a concurrent change.
 * @param change its author and reason, and the label of new App-Ids.
 */
async function changeAppIds(
  table: ConfigsTable,
  clientId: string,
  next: (client: StoredClient) => readonly StoredAppId[],
  { label, ...change }: Authorship & { readonly label?: string | undefined },
): Promise<void> {
  const entry = {
    ...(label !== undefined && { label }),
    at: new Date().toISOString(),
    by: change.by,
  };
  await changeClient(table, clientId, change, (client) => {
    const [before, after] = [storedAppIds(client), next(client)];
    const appIdLabels = labelsAfter(client.raw.appIdLabels, { before, after }, entry);
    return { appIds: attributeOf(after), appIdLabels };
  });
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
  {
    before,
    after,
  }: { readonly before: readonly StoredAppId[]; readonly after: readonly StoredAppId[] },
  label: AppIdLabel,
): AttributeValue | undefined {
  const labels = { ...stored?.M };
  const namesOf = (all: readonly StoredAppId[]) => new Set(all.map((one) => one.fingerprint));
  const [old, fresh] = [namesOf(before), namesOf(after)];
  for (const fingerprint of old.difference(fresh)) delete labels[fingerprint];
  for (const fingerprint of fresh.difference(old)) {
    const isKept = labels[fingerprint] !== undefined && label.label === undefined;
    if (!isKept) labels[fingerprint] = { M: marshall(label) };
  }
  return Object.keys(labels).length > 0 ? { M: labels } : undefined;
}

/** Names an App-Id for people: `1ba08bcf (iOS)`. */
export function appIdName(fingerprint: string, { label }: AppIdLabel = {}): string {
  return label === undefined ? fingerprint : `${fingerprint} (${label})`;
}

/** Names App-Ids by their fingerprints: `App-Ids 0a1b2c3d (iOS), 4e5f6071`. */
export function appIdNames(fingerprints: readonly string[], labels: AppIdLabels): string {
  const names = fingerprints
    .toSorted()
    .map((fingerprint) => appIdName(fingerprint, labels.get(fingerprint)));
  return printable(`App-Id${names.length === 1 ? '' : 's'} ${names.join(', ')}`);
}

/** Fewer digits could name an App-Id by accident. */
const DIGITS = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, by the first digits of its digest, or by its label.
 *
 * @throws UserError if it names none of them, or several. The message has no App-Id.
 */
function findAppId(client: StoredClient, text: string, labels: AppIdLabels): StoredAppId {
  const all = storedAppIds(client);
  const itself = all.find(({ value }) => value.S === text);
  if (itself) return itself;
  const named = DIGITS.test(text) ? all.filter(({ digest }) => digest.startsWith(text)) : [];
  const found = named.length > 0 ? named : labelled(client, text, labels);
  const [one] = found;
  if (one && found.every(({ digest }) => digest === one.digest)) return one;
  const { clientId } = client.item;
  const names = all.map(({ fingerprint }) => fingerprint);
  const others = names.length === 0 ? 'none' : `only ${appIdNames(names, labels)}`;
  const digits = found.map(({ digest, fingerprint }) => (named.length > 0 ? digest : fingerprint));
  throw new UserError(
    one === undefined
      ? `Client ${clientId} has no such App-Id; it has ${others}.`
      : `${found.length} App-Ids of client ${clientId} are called ${printable(text)}: ${digits.toSorted().join(', ')}. Name one by its digits.`,
    'noSuchAppId',
  );
}

/** Returns the App-Ids with a label. */
function labelled(client: StoredClient, label: string, labels: AppIdLabels): StoredAppId[] {
  return storedAppIds(client).filter(({ fingerprint }) => labels.get(fingerprint)?.label === label);
}
