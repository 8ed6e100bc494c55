import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { readItem } from '../aws/attribute-values.ts';
import { available } from '../aws/available.ts';
import type { ConfigsItem } from '../client-attributes.ts';
import { memoryMegabytes } from '../runtime/function-memory.ts';
import { logger } from '../runtime/logger.ts';
import { type Cached, StaleIfErrorCache } from '../runtime/stale-if-error-cache.ts';
import { type Client, readAccess } from './client-access.ts';

const STALE_IF_ERROR_MS = 15 * 60 * 1000;
/**
 * The share of the function's memory that cached items may have. As JSON, as records and as JSON
 * for responses they take up to five times as much, which is a third of the memory.
 */
const MEMORY_SHARE = 1 / 16;
/** The size of a record besides its item, in bytes: the cache entry and the digests. */
const RECORD_BYTES = 256;
/** Limit of the cached absences of clients. Their entries are small. */
const MAX_UNKNOWN_CLIENTS = 1000;

/**
 * Converts a client's item to what an operation needs besides who may call. Called when the item is
 * read for the first time or has changed.
 */
export type ReadClientData<TData> = (item: ConfigsItem) => TData;

/** A record with the JSON of the item that it was made from. */
interface CachedClient<TData> extends Client<TData> {
  readonly json: string;
}

export interface ClientCacheOptions<TData> {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** The number of seconds for which a record is served without reading its item again. */
  readonly cacheSeconds: number;
  /** Whether a client without `userPoolClientIds` admits nobody. */
  readonly requiresUserPoolClientIds: boolean;
  readonly clientData: ReadClientData<TData>;
}

/**
 * Creates the function that loads the record of a client from the Configs table, through a cache.
 * While the table cannot be read, a record that is at most 15 minutes old is served as stale. As
 * long as the item does not change, its record stays the same object.
 *
 * The function returns an undefined `value` for an unknown client. It throws what `available`
 * throws if the item cannot be read and no record is cached.
 */
export function clientCache<TData>({
  dynamodb,
  tableName,
  cacheSeconds,
  requiresUserPoolClientIds,
  clientData,
}: ClientCacheOptions<TData>): (clientId: string) => Promise<Cached<Client<TData> | undefined>> {
  const cache = new StaleIfErrorCache<CachedClient<TData>>({
    read: async (clientId, last) => {
      const { Item } = await available(
        dynamodb.send(
          new GetItemCommand({
            TableName: tableName,
            Key: { clientId: { S: clientId } },
            // Otherwise the read after an edit could miss it, and the edit would wait for another
            // cache time.
            ConsistentRead: true,
            // Without a projection, which would leave out an attribute with a misspelled name.
          }),
        ),
      );
      if (!Item) return undefined;
      const item = readItem(Item);
      const json = toJson(item);
      const value =
        last?.json === json
          ? last
          : {
              ...readAccess(item, clientId, requiresUserPoolClientIds),
              data: clientData(item),
              json,
            };
      return { value, bytes: RECORD_BYTES + Buffer.byteLength(json) };
    },
    freshMs: cacheSeconds * 1000,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    maxBytes: MEMORY_SHARE * memoryMegabytes() * 1024 * 1024,
    maxAbsences: MAX_UNKNOWN_CLIENTS,
    onStale: (clientId, error) =>
      logger.error('The client could not be read; its last good copy is served', {
        clientId,
        error,
      }),
  });
  return (clientId) => cache.get(clientId);
}

/** An item as JSON; sets are lists. */
function toJson(item: ConfigsItem): string {
  return JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
}
