import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ConfigsItem } from 'customer-data-api/clients';
import { itemBytes, readItem } from 'customer-data-api/clients';
import { ATTRIBUTES } from 'customer-data-api/configuration';
import type { VersionsTable } from 'customer-data-api/history';
import { contentDigest, type RawContent } from 'customer-data-api/history';
import { type ConfigsTable, readRawClient } from '../clients/configs-table.ts';
import { NoSuchClient } from '../errors.ts';
import { writtenConfiguration } from './written-configuration.ts';

/** The tables of the configurations and their versions. */
export interface ConfigurationTables extends ConfigsTable, VersionsTable {}

/** The configuration in a client's item. */
export interface StoredConfiguration {
  readonly clientId: string;
  readonly content: RawContent;
  /** The attributes beside the configuration that the service does not know. */
  readonly unknown?: readonly string[];
  /** The size of the item without the configuration, in bytes. */
  readonly otherBytes?: number;
}

/** Reads the configuration of a client. Throws NoSuchClient. */
export async function readStored(
  tables: ConfigurationTables,
  clientId: string,
): Promise<StoredConfiguration> {
  const stored = await findStored(tables, clientId);
  if (stored) return stored;
  throw new NoSuchClient(clientId);
}

/** Reads the configuration of a client; undefined if there is no such client. */
export async function findStored(
  table: ConfigsTable,
  clientId: string,
): Promise<StoredConfiguration | undefined> {
  const item = await readRawClient(table, clientId);
  return item && configurationIn(clientId, item);
}

/** Picks the configuration out of a client's item. */
export function configurationIn(
  clientId: string,
  item: Readonly<Record<string, AttributeValue>>,
): StoredConfiguration {
  const { fields, lastFieldId, ...others } = item;
  const known: readonly string[] = ATTRIBUTES.client;
  const unknown = Object.keys(item).filter((name) => !known.includes(name));
  const otherBytes = itemBytes(readItem(others));
  return { clientId, content: { fields, lastFieldId }, unknown, otherBytes };
}

/** Returns a configuration file. `base` identifies the stored content, to detect conflicts. */
export function fileOf({
  clientId,
  content,
}: StoredConfiguration): ConfigsItem & { readonly base: string } {
  return { clientId, base: contentDigest(content), ...writtenConfiguration(content) };
}
