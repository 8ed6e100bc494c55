import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { orUnavailable } from '../aws/or-unavailable.ts';
import { memoryMegabytes } from '../runtime/function-memory.ts';
import { logger } from '../runtime/logger.ts';
import { type Cached, StaleIfErrorCache } from '../runtime/stale-if-error-cache.ts';
import { type AccessRules, admission, type Client } from './client-access.ts';
import { readClient, type StoredClient } from './read-client.ts';

const STALE_IF_ERROR_MS = 15 * 60 * 1000;
/**
 * The share of the function's memory for cached items. Kept as stored JSON, parsed and as response
 * JSON, they take up to five times as much: a third of the memory.
 */
const MEMORY_SHARE = 1 / 16;
/** The size of a cached client besides its item, in bytes: entry and fingerprints. */
const RECORD_BYTES = 256;
/** Limit of cached absences, which are small. */
const MAX_UNKNOWN_CLIENTS = 1000;

/**
 * Converts a client's item to what an operation needs. Called on the first read and on changes.
 *
 * @param grow counts bytes that the data needs later, such as another language of it.
 */
export type ReadClientData<TData> = (client: StoredClient, grow: (bytes: number) => void) => TData;

/** A client with its item as stored: two contents can look alike when they are read. */
interface CachedClient<TData> extends Client<TData> {
  readonly json: string;
  /** The bytes that the data has grown by. */
  grownBytes: number;
}

interface ClientCacheOptions<TData> {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** Time for which a client is served without reading its item again. */
  readonly configCacheSeconds: number;
  readonly rules: AccessRules;
  readonly clientData: ReadClientData<TData>;
}

/**
 * Creates the function that loads a client from the Configs table, through a cache. While the table
 * cannot be read, a copy up to 15 minutes old is served as stale. A client remains the same object
 * as long as its item does not change.
 *
 * The function returns an undefined `value` for an unknown client. It throws what `orUnavailable`
 * throws if the item cannot be read and no copy is cached.
 */
export function clientCache<TData>({
  dynamodb,
  tableName,
  configCacheSeconds,
  rules,
  clientData,
}: ClientCacheOptions<TData>): (clientId: string) => Promise<Cached<Client<TData> | undefined>> {
  const cache = new StaleIfErrorCache<CachedClient<TData>>({
    read: async (clientId, last) => {
      const { Item } = await orUnavailable(
        dynamodb.send(
          new GetItemCommand({
            TableName: tableName,
            Key: { clientId: { S: clientId } },
            // An eventually consistent read could miss the latest edit for another cache period.
            ConsistentRead: true,
          }),
        ),
      );
      if (!Item) return undefined;
      const json = JSON.stringify(Item);
      const grow = (bytes: number) => {
        value.grownBytes += bytes;
        cache.grow(clientId, value, bytes);
      };
      const changed = (client: StoredClient): CachedClient<TData> => ({
        ...admission(clientId, client.lists, rules),
        data: clientData(client, grow),
        json,
        grownBytes: 0,
      });
      const value = last?.json === json ? last : changed(readClient(Item));
      return { value, bytes: RECORD_BYTES + Buffer.byteLength(json) + value.grownBytes };
    },
    freshMs: configCacheSeconds * 1000,
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
