import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { available } from '../platform/document-client.ts';
import { logger } from '../platform/logger.ts';
import { type Cached, StaleIfErrorCache } from '../platform/stale-if-error-cache.ts';
import {
  ACCESS_ATTRIBUTES,
  type ClientRecord,
  type ConfigsItem,
  readAccess,
} from './client-record.ts';

const STALE_IF_ERROR_MS = 15 * 60 * 1000;
/**
 * Limit of the cached items, in bytes. As records and as JSON for responses they take up to four times as much
 * memory, which is a quarter of the 512 MB that a function has.
 */
const MAX_BYTES = 32 * 1024 * 1024;
/** The size of a record besides its item, in bytes: the cache entry and the digests. */
const RECORD_BYTES = 256;
/** Limit of the cached absences of clients. Their entries are small. */
const MAX_UNKNOWN_CLIENTS = 1000;

/** The data that an operation needs from a client's item besides who may call. */
export interface ClientData<TData> {
  /** The attributes that `read` uses. */
  readonly attributes: readonly string[];
  /** Converts the item to the data of the operation. Called once per read of the item. */
  readonly read: (item: ConfigsItem, clientId: string) => TData;
}

/** For an operation that needs nothing else from the item. */
export const NO_CLIENT_DATA: ClientData<undefined> = { attributes: [], read: () => undefined };

export interface ClientRecordsOptions<TData> {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
  /** The number of seconds for which a record is served without reading its item again. */
  readonly cacheSeconds: number;
  readonly clientData: ClientData<TData>;
}

/**
 * Creates the function that loads the record of a client from the Configs table, through a cache. While the table
 * cannot be read, a record that is at most 15 minutes old is served as stale.
 *
 * The function returns an undefined `value` for an unknown client. It throws what `available` throws if the item
 * cannot be read and no record is cached.
 */
export function clientRecords<TData>({
  documentClient,
  tableName,
  cacheSeconds,
  clientData: { attributes, read },
}: ClientRecordsOptions<TData>): (
  clientId: string,
) => Promise<Cached<ClientRecord<TData> | undefined>> {
  const projection = [...ACCESS_ATTRIBUTES, ...attributes];
  const cache = new StaleIfErrorCache<ClientRecord<TData>>({
    read: async (clientId) => {
      const { Item } = await available(
        documentClient.send(
          new GetCommand({
            TableName: tableName,
            Key: { clientId },
            // Otherwise the read after an edit could miss it, and the edit would wait for another cache time.
            ConsistentRead: true,
            ProjectionExpression: projection.map((_, index) => `#${index}`).join(', '),
            ExpressionAttributeNames: Object.fromEntries(
              projection.map((attribute, index) => [`#${index}`, attribute]),
            ),
          }),
        ),
      );
      if (!Item) return undefined;
      const value = { ...readAccess(Item, clientId), data: read(Item, clientId) };
      return { value, bytes: RECORD_BYTES + sizeOf(Item) };
    },
    freshMs: cacheSeconds * 1000,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    maxBytes: MAX_BYTES,
    maxAbsences: MAX_UNKNOWN_CLIENTS,
    onStale: (clientId, error) =>
      logger.error('The client could not be read; its last good copy is served', {
        clientId,
        error,
      }),
  });
  return (clientId) => cache.get(clientId);
}

/** The size of an item as JSON, in bytes; sets count as lists. */
function sizeOf(item: ConfigsItem): number {
  const json = JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
  return Buffer.byteLength(json);
}
