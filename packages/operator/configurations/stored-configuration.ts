import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type ConfigsItem,
  itemBytes,
  readItem,
  type StoredClient,
  type StoredRollout,
} from 'customer-data-api/clients';
import {
  ATTRIBUTES,
  attributePath,
  idOf,
  isMap,
  listOf,
  withoutDerived,
} from 'customer-data-api/configuration';
import {
  CONTENT,
  contentDigest,
  listVersions,
  newestVersion,
  readVersion,
  type StoredContent,
  type Version,
  type VersionsTable,
  type WrittenConfiguration,
  writtenConfiguration,
} from 'customer-data-api/history';
import { dynamodbClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { type ConfigsTable, findClient } from '../clients/configs-table.ts';
import {
  NoSuchClient,
  NoSuchDigest,
  NoSuchVersion,
  UnstorableValue,
  VersionWithoutFields,
} from '../errors.ts';

/** The attributes of a rollout. Its end removes `rolloutAlarm`, which earlier releases wrote. */
export const ROLLOUT_ATTRIBUTES = ['rollout', 'rolloutAlarm'] as const;

/** The tables of the configurations and their versions. */
export interface ConfigurationTables extends ConfigsTable, VersionsTable {}

/** A configuration as it is stored, and as operators write it. */
export interface ClientConfiguration<TContent extends StoredContent = StoredContent> {
  readonly clientId: string;
  readonly content: TContent;
  /** `contentDigest` of the content. */
  readonly digest: string;
  readonly written: WrittenConfiguration;
  /** The fields, as operators write them; none if they are not a list. */
  readonly fields: readonly unknown[];
  /** The attributes beside the configuration that the service does not know. */
  readonly unknown?: readonly string[];
  /** The rollout that runs. */
  readonly rollout?: StoredRollout | undefined;
  /** Why the attribute `rollout` is not served. */
  readonly damage?: string | undefined;
  /** The attributes of a rollout, as they are stored. */
  readonly storedRollout?: Readonly<Record<string, AttributeValue | undefined>>;
  /** The size of the item without configuration and rollout, in bytes. */
  readonly otherBytes?: number | undefined;
}

/** Reads the configuration of a client. Throws NoSuchClient. */
export async function readStored(
  tables: ConfigurationTables,
  clientId: string,
): Promise<ClientConfiguration> {
  const stored = await findStored(tables, clientId);
  if (stored) return stored;
  throw new NoSuchClient(clientId);
}

/** Reads the configuration of a client; undefined if there is no such client. */
export async function findStored(
  table: ConfigsTable,
  clientId: string,
): Promise<ClientConfiguration | undefined> {
  const client = await findClient(table, clientId);
  return client && configurationOf(client);
}

/**
 * Reads the configuration of a version.
 *
 * @throws NoSuchVersion, or VersionWithoutFields if the content was too large to be recorded.
 */
export async function readExistingVersion(
  table: VersionsTable,
  clientId: string,
  number: number,
): Promise<ClientConfiguration> {
  const version = await readVersion(table, clientId, number);
  if (!version) throw new NoSuchVersion(clientId, number);
  if (version.isTooLarge) throw new VersionWithoutFields(clientId, number, true);
  return storedConfiguration(clientId, version.content);
}

/**
 * Reads the fields with a digest that begins so: those that are live, or of a version.
 *
 * @throws NoSuchDigest, or VersionWithoutFields if the content was too large to be recorded.
 */
export async function readFieldsOf(
  table: VersionsTable,
  { clientId, digest, fields }: ClientConfiguration,
  start: string,
): Promise<readonly unknown[]> {
  if (digest.startsWith(start)) return fields;
  let tooLarge: Version | undefined;
  for await (const version of listVersions(table, clientId)) {
    if (!version.digest.startsWith(start)) continue;
    // Beside a candidate, a content may be too large that is recorded without it.
    if (version.isTooLarge) tooLarge ??= version;
    else return (await readExistingVersion(table, clientId, version.version)).fields;
  }
  if (tooLarge) throw new VersionWithoutFields(clientId, tooLarge.version, true);
  throw new NoSuchDigest(clientId, start);
}

/** Returns the configuration of a client. */
export function configurationOf(client: StoredClient): ClientConfiguration {
  const { raw, live, rollout, damage } = client;
  const own: readonly string[] = [...CONTENT, ...ROLLOUT_ATTRIBUTES];
  const others = Object.entries(raw).filter(([name]) => !own.includes(name));
  const known: readonly string[] = ATTRIBUTES.client;
  return {
    ...storedConfiguration(raw.clientId?.S ?? '', live),
    rollout,
    damage: damage && `${attributePath(damage.path)} ${damage.message}`,
    storedRollout: Object.fromEntries(ROLLOUT_ATTRIBUTES.map((name) => [name, raw[name]])),
    unknown: Object.keys(raw).filter((name) => !known.includes(name)),
    otherBytes: itemBytes(readItem(Object.fromEntries(others))),
  };
}

/** Adds to a content what identifies it, and how operators write it. */
export function storedConfiguration<TContent extends StoredContent>(
  clientId: string,
  content: TContent,
): ClientConfiguration<TContent> {
  const written = writtenConfiguration(content);
  const fields = listOf(written.fields);
  return { clientId, content, digest: contentDigest(content), written, fields };
}

/** Returns a configuration file. `base` identifies the stored content, to detect conflicts. */
export function fileOf({
  clientId,
  digest,
  written,
}: ClientConfiguration): ConfigsItem & { readonly base: string } {
  return { clientId, base: digest, ...written };
}

/** The tables of configurations and of their versions. Dispose of them after use. */
export function configurationTables(outputs: Outputs): ConfigurationTables & Disposable {
  const dynamodb = dynamodbClient(outputs);
  return {
    dynamodb,
    configsTableName: outputs.ConfigsTableName,
    versionsTableName: outputs.ConfigVersionsTableName,
    [Symbol.dispose]: () => dynamodb.destroy(),
  };
}

/** The content of a client whose configuration was published. */
export type PublishedContent = Readonly<Record<'fields' | 'lastFieldId', AttributeValue>> & {
  readonly language?: AttributeValue;
};

/**
 * Replaces the fields and the language of a configuration by those that operators wrote. A field
 * without changes, of which what the service derives is none, stays exactly as it is stored, so
 * that a change of one field touches no other.
 *
 * @param candidate another configuration with fields that are stored.
 */
export function withFields(
  live: ClientConfiguration,
  fields: readonly unknown[],
  lastFieldId: number,
  language?: unknown,
  candidate?: ClientConfiguration,
): ClientConfiguration<PublishedContent> {
  const { clientId, content, written } = live;
  const stored = [candidate ?? [], live].flat().map(fieldsById);
  const L = fields.map((field) => {
    const lean = withoutDerived(field);
    const same = stored
      .flatMap((known) => known.get(idOf(field)) ?? [])
      .find((one) => isDeepStrictEqual(one.written, lean));
    return same?.field ?? toStored(field);
  });
  const isKept = isDeepStrictEqual(written.language, language);
  const storedLanguage = isKept
    ? content.language
    : language === undefined
      ? undefined
      : toStored(language);
  return storedConfiguration(clientId, {
    fields: { L },
    lastFieldId: { N: String(lastFieldId) },
    ...(storedLanguage && { language: storedLanguage }),
  });
}

/** Groups the fields of a configuration by their ids, as they are stored and as written. */
function fieldsById({ content, fields }: ClientConfiguration) {
  const all = (content.fields?.L ?? []).map((field, at) => ({ field, written: fields[at] }));
  return Map.groupBy(all, ({ written }) => idOf(written));
}

/** Replaces `marshall`, which stores what a map has under `__proto__` beside it. */
function toStored(value: unknown): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((part) => part !== undefined).map(toStored) };
  if (isMap(value)) {
    const present = Object.entries(value).filter(([, part]) => part !== undefined);
    return { M: Object.fromEntries(present.map(([name, part]) => [name, toStored(part)])) };
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new UnstorableValue(`${JSON.stringify(value)} has half of a character.`);
  }
  try {
    return marshall({ value }).value as AttributeValue;
  } catch (error) {
    // For example infinity. The check ignores it: the service does not know the attribute.
    throw new UnstorableValue(error instanceof Error ? error.message : String(error));
  }
}

/** Throws NoSuchClient if a client never existed. Promo events outlive their client. */
export async function expectKnownClient(
  tables: ConfigurationTables,
  clientId: string,
): Promise<void> {
  if (await findClient(tables, clientId)) return;
  if (await newestVersion(tables, clientId)) return;
  throw new NoSuchClient(clientId);
}
