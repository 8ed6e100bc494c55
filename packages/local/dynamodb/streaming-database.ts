import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Answer, callInProcess } from '../in-process.ts';
import type { TableDefinition } from '../template.ts';
import type { Item, TableStream } from './table-stream.ts';

/** A table with a stream. */
export interface StreamedTable extends Pick<TableDefinition, 'tableName' | 'keySchema'> {
  readonly stream: TableStream;
}

/** An item that a request writes. */
interface WrittenItem {
  readonly table: StreamedTable;
  readonly key: Item;
}

/** An item of a writing request: its key, or all of its attributes. */
interface NamedItem {
  readonly tableName: string;
  readonly item: Item | undefined;
}

/** The parts of writing requests that name their items. */
interface WriteRequest {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly RequestItems?: Readonly<
    Record<string, readonly { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>
  >;
}

/** The operations that write items. */
export const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/** Marks the removal of an item that has expired. */
export const EXPIRY_HEADER = 'x-expiry';

/**
 * Creates a server in front of a DynamoDB without streams. It derives stream records from the
 * writes that pass through it, by reading each item before and after. All other calls reach the
 * DynamoDB unchanged.
 */
export function createStreamingDatabase(engine: Server, tables: readonly StreamedTable[]): Server {
  /** The pending write of each item, by its key. */
  const writing = new Map<string, Promise<unknown>>();

  async function call(
    headers: IncomingHttpHeaders,
    operation: string,
    payload: Buffer | string,
  ): Promise<Answer> {
    const target = `DynamoDB_20120810.${operation}`;
    return callInProcess(engine, { ...headers, 'x-amz-target': target }, payload);
  }

  async function read(
    headers: IncomingHttpHeaders,
    { table, key }: WrittenItem,
  ): Promise<Item | undefined> {
    const query = { TableName: table.tableName, Key: key, ConsistentRead: true };
    const { status, body } = await call(headers, 'GetItem', JSON.stringify(query));
    // The engine refuses the write for the same reason.
    return status === 200 ? JSON.parse(String(body)).Item : undefined;
  }

  async function write(
    headers: IncomingHttpHeaders,
    operation: string,
    body: Buffer,
    items: readonly WrittenItem[],
  ): Promise<Answer> {
    const before = await Promise.all(items.map((item) => read(headers, item)));
    const answer = await call(headers, operation, body);
    if (answer.status !== 200) return answer;
    for (const [index, item] of items.entries()) {
      const after = await read(headers, item);
      const isExpiry = headers[EXPIRY_HEADER] !== undefined;
      item.table.stream.add({ key: item.key, before: before[index], after, isExpiry });
    }
    return answer;
  }

  /** Waits for earlier writes of the same items: none may come between a write and its reads. */
  async function answer(incoming: IncomingMessage, operation: string): Promise<Answer> {
    const body = await buffer(incoming);
    const items = writtenItems(body, tables);
    const keys = items.map(({ table, key }) => JSON.stringify([table.tableName, key]));
    const own = Promise.allSettled(keys.map((key) => writing.get(key))).then(() =>
      write(incoming.headers, operation, body, items),
    );
    for (const key of keys) writing.set(key, own);
    try {
      return await own;
    } finally {
      for (const key of keys) if (writing.get(key) === own) writing.delete(key);
    }
  }

  return createServer((incoming, response) => {
    const [, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    if (!WRITES.includes(operation)) {
      // On the same connection, without another call.
      engine.emit('request', incoming, response);
      return;
    }
    answer(incoming, operation).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    );
  });
}

/** Parses JSON; undefined if it is invalid. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns the items of streamed tables that a request writes; none if it cannot be read. */
function writtenItems(body: Buffer, tables: readonly StreamedTable[]): WrittenItem[] {
  let named: readonly NamedItem[];
  try {
    named = namedItems(Object(parsed(body.toString())));
  } catch {
    return [];
  }
  return named.flatMap(({ tableName, item }) => {
    const table = tables.find((one) => one.tableName === tableName);
    return table && item ? [{ table, key: primaryKey(item, table) }] : [];
  });
}

/** @throws TypeError if the request does not have the form of a write. */
function namedItems({ TableName = '', Item, Key, RequestItems = {} }: WriteRequest): NamedItem[] {
  const batches = Object.entries(RequestItems).flatMap(([tableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) => ({
      tableName,
      item: PutRequest?.Item ?? DeleteRequest?.Key,
    })),
  );
  return [{ tableName: TableName, item: Item ?? Key }, ...batches];
}

function primaryKey(item: Item, { keySchema }: StreamedTable): Item {
  return Object.fromEntries(
    keySchema.flatMap(({ AttributeName = '' }) => {
      const value = item[AttributeName];
      return value ? [[AttributeName, value]] : [];
    }),
  );
}
