import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { CommandError } from '../platform/command-error.ts';
import type { RawContent } from './content-digest.ts';
import { unknownAttributes } from './unknown-attributes.ts';
import type { VersionsTable } from './versions-table.ts';

/** Where the configurations and their versions are. */
export interface ConfigurationTables extends VersionsTable {
  readonly configsTableName: string;
}

/** The configuration in the item of a client. */
export interface StoredConfiguration {
  readonly clientId: string;
  readonly content: RawContent;
  /** Attributes that look like misspellings of those of the content, such as `feilds`. */
  readonly misspelled: Readonly<Record<string, AttributeValue>>;
}

/**
 * Reads the configuration of a client.
 *
 * @throws CommandError if there is no such client.
 */
export async function readStored(
  { dynamodb, configsTableName }: ConfigurationTables,
  clientId: string,
): Promise<StoredConfiguration> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: configsTableName,
      Key: marshall({ clientId }),
      ConsistentRead: true,
    }),
  );
  if (!Item) throw new CommandError(`There is no client ${clientId}.`);
  const { fields, lastFieldId } = Item;
  const names = unknownAttributes(Item)
    .filter(({ meant }) => meant === 'fields' || meant === 'lastFieldId')
    .map(({ path: [name] }) => name);
  const misspelled = Object.entries(Item).filter(([name]) => names.includes(name));
  return { clientId, content: { fields, lastFieldId }, misspelled: Object.fromEntries(misspelled) };
}
