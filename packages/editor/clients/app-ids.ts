import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type AppIdLabel,
  fingerprintOf,
  type StoredAppId,
  type StoredClient,
  storedAppId,
  storedAppIds,
} from 'customer-data-api/clients';
import type { ConfigsTable } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import { printable } from 'customer-data-api-deployment/program';
import { OperatorError } from '../errors.ts';
import { appIdName, type NamedAppId } from '../words.ts';
import { type Authorship, changeClient } from './change-client.ts';
import { readExistingClient } from './configs-table.ts';

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
      const name = appIdName({ fingerprint, named: label === undefined ? {} : { label } });
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
  readonly digest: string;
  readonly fingerprint: string;
  /** The App-Id: `0a1b2c3d (iOS)`. */
  readonly name: string;
  /** The values that are left. */
  readonly left: readonly NamedAppId[];
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
    if (!left.some(({ isAppId }) => isAppId)) {
      throw new OperatorError('lastAppId', { clientId });
    }
    return left;
  };
  return {
    async show({ tables }) {
      const client = await readExistingClient(tables, clientId);
      const found = findAppId(client, text);
      const { digest, fingerprint } = found;
      const name = printable(appIdName(found));
      return { clientId, digest, fingerprint, name, left: without(client, found) };
    },
    async apply({ tables }, { digest, name }, by) {
      const next = (client: StoredClient) => without(client, findAppId(client, digest));
      await changeAppIds(tables, clientId, next, { by, message: `Revoked App-Id ${name}` });
      return {};
    },
  };
}

/** The effect of naming an App-Id. */
export interface ShownNaming extends Shown {
  readonly clientId: string;
  readonly digest: string;
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
      const found = findAppId(client, text);
      const hasEffect = found.named.label !== label;
      if (hasEffect) expectNewLabel(client, label);
      return { clientId, digest: found.digest, name: printable(appIdName(found)), hasEffect };
    },
    async apply({ tables }, { digest, name }, by) {
      const message = `Named App-Id ${name}: ${printable(label)}`;
      await changeClient(tables, clientId, { by, message }, (client) => {
        const { raw } = client;
        const { fingerprint, named } = findAppId(client, digest);
        expectNewLabel(client, label);
        const M = { ...raw.appIdLabels?.M, [fingerprint]: { M: marshall({ ...named, label }) } };
        return { appIds: raw.appIds, appIdLabels: { M } };
      });
      return {};
    },
  };
}

/**
 * @throws OperatorError usage if an App-Id of the client has the label, as it could not be revoked
 *   by it, or if the new one is only the fingerprint of one.
 */
function expectAddable(
  client: StoredClient,
  existing: string | undefined,
  label: string | undefined,
): void {
  const { clientId } = client;
  const same = storedAppIds(client).find(({ fingerprint }) => fingerprint === existing);
  if (same) {
    const { fingerprint } = same;
    throw new OperatorError('usage', { mistake: 'appIdIsFingerprint', clientId, fingerprint });
  }
  if (label !== undefined) expectNewLabel(client, label);
}

/** Throws OperatorError usage if an App-Id of a client has the label. */
function expectNewLabel(client: StoredClient, label: string): void {
  const [other] = labelled(client, label);
  if (!other) return;
  const { clientId } = client;
  const { fingerprint } = other;
  throw new OperatorError('usage', { mistake: 'labelTaken', clientId, fingerprint, label });
}

/**
 * Replaces the App-Ids of a client.
 *
 * @param next computes the new App-Ids. It may throw, and runs again after a concurrent change.
 * @param stamp the author and reason, and the label of new App-Ids.
 */
async function changeAppIds(
  table: ConfigsTable,
  clientId: string,
  next: (client: StoredClient) => readonly StoredAppId[],
  { label, ...stamp }: Authorship & { readonly label?: string | undefined },
): Promise<void> {
  const entry = {
    ...(label !== undefined && { label }),
    at: new Date().toISOString(),
    by: stamp.by,
  };
  await changeClient(table, clientId, stamp, (client) => {
    const [before, after] = [storedAppIds(client), next(client)];
    const appIdLabels = labelsAfter(client.raw.appIdLabels, { before, after }, entry);
    return { appIds: attributeOf(after), appIdLabels };
  });
}

/**
 * Returns the attribute `appIdLabels` after a change of App-Ids: without those that are gone, and
 * with the new ones. One that had an entry keeps it, unless it gets another label. Entries of other
 * fingerprints stay, readable or not.
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

/** Fewer digits could name an App-Id by accident. */
const DIGITS = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, by the first digits of its digest, or by its label.
 *
 * @throws OperatorError noSuchAppId if it names none of them, or several.
 */
function findAppId(client: StoredClient, text: string): StoredAppId {
  const all = storedAppIds(client);
  const itself = all.find(({ value }) => value.S === text);
  if (itself) return itself;
  const named = DIGITS.test(text) ? all.filter(({ digest }) => digest.startsWith(text)) : [];
  const found = named.length > 0 ? named : labelled(client, text);
  const [one] = found;
  if (one && found.every(({ digest }) => digest === one.digest)) return one;
  const digits = found.map(({ digest, fingerprint }) => (named.length > 0 ? digest : fingerprint));
  const ambiguous = one && { text, digits: digits.toSorted() };
  const known = all.map(({ fingerprint, named: name }) => ({ fingerprint, named: name }));
  throw new OperatorError('noSuchAppId', { clientId: client.clientId, known, ambiguous });
}

/** Returns the App-Ids with a label. */
function labelled(client: StoredClient, label: string): StoredAppId[] {
  return storedAppIds(client).filter(({ named }) => named.label === label);
}
