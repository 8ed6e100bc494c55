import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { exampleClients } from 'customer-data-api/operations';
import { databaseClient, listen } from 'customer-data-api-deployment/local';
import { UserError } from 'customer-data-api-deployment/program';
import dynalite from 'dynalite';
import { Level } from 'level';
import type { TableDefinition } from '../template.ts';
import { patchConditions } from './dynalite-patch.ts';

patchConditions();

/** The properties of a new table. */
type NewTable = Omit<TableDefinition, 'streamArn' | 'streamViewType' | 'timeToLiveAttribute'>;

/** A running DynamoDB. */
export interface Database {
  readonly endpoint: string;
  readonly server: Server;
}

/**
 * Creates the embedded DynamoDB, which does not listen yet. Without a folder, data is in memory.
 * Throws UserError if the folder cannot be used.
 */
export async function embeddedDynamoDb(dataFolder?: string): Promise<Server> {
  if (dataFolder) await assertUsable(dataFolder);
  return closingAfterRequests(
    dynalite({ ...(dataFolder && { path: dataFolder }), createTableMs: 0 }),
  );
}

/**
 * Makes a dynalite close its data only when no request uses them: closing a connection does not end
 * its request, and dynalite throws an uncatchable error if the data is closed first. Later requests
 * get no response.
 */
function closingAfterRequests(server: Server): Server {
  const inFlight = new Set<Promise<void>>();
  let isClosing = false;
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (incoming, response) => {
    if (isClosing) {
      response.destroy();
      return;
    }
    const done = untilDone(incoming, response);
    inFlight.add(done);
    void done.then(() => inFlight.delete(done));
    for (const handle of handlers) handle(incoming, response);
    // dynalite throws the error of an interrupted body, which would end the process.
    incoming.removeAllListeners('error').on('error', () => {});
    answerUnreadable(incoming, response);
  });
  const close = server.close.bind(server);
  server.close = (onClosed) => {
    isClosing = true;
    void Promise.all(inFlight).then(() => close(onClosed));
    return server;
  };
  return server;
}

/** Answers unreadable bodies as DynamoDB does. For some, dynalite throws an uncatchable error. */
function answerUnreadable(incoming: IncomingMessage, response: ServerResponse): void {
  const listeners = incoming.listeners('end');
  incoming.removeAllListeners('end').on('end', () => {
    try {
      for (const onEnd of listeners) Reflect.apply(onEnd, incoming, []);
    } catch (error) {
      if (response.headersSent) throw error;
      response
        .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end('{"__type":"com.amazon.coral.service#SerializationException"}');
    }
  });
}

/** Waits until dynalite has ended the response, or the body was cut off. */
function untilDone(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    incoming.once('close', () => {
      if (!incoming.readableEnded) resolve();
    });
    // No event reports this once the connection is closed.
    const { end } = response;
    response.end = ((...content: Parameters<typeof end>) => {
      resolve();
      return Reflect.apply(end, response, content);
    }) as typeof end;
  });
}

/**
 * Starts a server that speaks DynamoDB's protocol. Creates missing tables, and fills a new Configs
 * table with the examples, which accept tokens of `userPoolClientIds`.
 */
export async function startDatabase(
  server: Server,
  tables: readonly NewTable[],
  configsTableName: string,
  userPoolClientIds: readonly string[],
): Promise<Database> {
  const endpoint = await listen(server);
  const client = databaseClient(endpoint);
  for (const table of tables) {
    const isNew = await createTable(client, table);
    if (isNew && table.tableName === configsTableName) {
      await seed(client, configsTableName, userPoolClientIds);
    }
  }
  client.destroy();
  return { endpoint, server };
}

/** Checks the data folder, because dynalite opens it lazily and ends the process if that fails. */
async function assertUsable(dataFolder: string): Promise<void> {
  const data = new Level(dataFolder);
  try {
    await data.open();
    await data.close();
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new UserError(`The data folder ${dataFolder} cannot be used. ${reason}`);
  }
}

/**
 * Creates a table, and waits until it can be used.
 *
 * @returns false if the table exists.
 */
export async function createTable(
  client: DynamoDBClient,
  { tableName, keySchema, attributeDefinitions }: NewTable,
): Promise<boolean> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        KeySchema: keySchema,
        AttributeDefinitions: attributeDefinitions,
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
  await waitUntilTableExists(
    // In seconds. The embedded engine takes milliseconds.
    { client, maxWaitTime: 30, minDelay: 0.005, maxDelay: 1 },
    { TableName: tableName },
  );
  return true;
}

/** Stores the examples as clients. The App-Id of `demo` is `demo-app-key`. */
async function seed(
  client: DynamoDBClient,
  configsTableName: string,
  userPoolClientIds: readonly string[],
): Promise<void> {
  const documentClient = DynamoDBDocumentClient.from(client);
  for (const example of exampleClients()) {
    const Item = {
      ...example,
      appIds: new Set([`${example.clientId}-app-key`]),
      userPoolClientIds: new Set(userPoolClientIds),
    };
    await documentClient.send(new PutCommand({ TableName: configsTableName, Item }));
  }
}
