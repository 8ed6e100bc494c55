import { createHash } from 'node:crypto';
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { noSuchClient } from '../clients/configs-table.ts';
import { hasTypingError } from '../closest-name.ts';
import { canonicalJson, contentDigest, type RawContent } from './content-digest.ts';
import type { VersionsTable } from './versions-table.ts';

/** Where the configurations and their versions are. */
export interface ConfigurationTables extends VersionsTable {
  readonly configsTableName: string;
}

/** The configuration in the item of a client. */
export interface StoredConfiguration {
  readonly clientId: string;
  readonly content: RawContent;
  /**
   * Attributes whose names are misspellings of `fields` or `lastFieldId`, such as `feilds`, and that have the right type.
   * An operator sees them in the file, and removes them by correcting it.
   */
  readonly misspelled: Readonly<Record<string, AttributeValue>>;
}

/**
 * Reads the configuration of a client.
 *
 * @throws CommandError if there is no such client.
 */
export async function readStored(
  tables: ConfigurationTables,
  clientId: string,
): Promise<StoredConfiguration> {
  const stored = await findStored(tables, clientId);
  if (stored) return stored;
  throw noSuchClient(clientId);
}

/** Reads the configuration of a client; undefined if there is no such client. */
export async function findStored(
  { dynamodb, configsTableName }: ConfigurationTables,
  clientId: string,
): Promise<StoredConfiguration | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: configsTableName,
      Key: marshall({ clientId }),
      ConsistentRead: true,
    }),
  );
  if (!Item) return undefined;
  const { fields, lastFieldId, ...others } = Item;
  const misspelled = Object.entries(others).filter(
    // The SDK loses the value of `__proto__`.
    ([name, value]) =>
      (value?.L && hasTypingError(name, 'fields')) ||
      (value?.N && hasTypingError(name, 'lastFieldId')),
  );
  return { clientId, content: { fields, lastFieldId }, misspelled: Object.fromEntries(misspelled) };
}

/** What a draft is based on: content that the history may know, and attributes that look misspelled, which it does not. */
export interface Base {
  /** `contentDigest` of the content. */
  readonly digest: string;
  readonly misspelled?: string | undefined;
}

/** The base of a draft that starts from what is stored, as operators keep it in their files. */
export function baseOf({ content, misspelled }: StoredConfiguration): string {
  const digest = contentDigest(content);
  return Object.keys(misspelled).length > 0 ? `${digest}+${misspelledDigest(misspelled)}` : digest;
}

/** Reads what `baseOf` wrote. */
export function readBase(base: string): Base {
  const [digest = '', misspelled] = base.split('+');
  return { digest, misspelled };
}

/** Identifies attributes that look misspelled. */
export function misspelledDigest(misspelled: StoredConfiguration['misspelled']): string {
  return createHash('sha256')
    .update(canonicalJson({ M: misspelled }))
    .digest('hex');
}
