import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { listVersions, readVersion } from 'customer-data-api/history';
import { readMarkers } from 'customer-data-api/promo-events';
import { expect, test } from 'vitest';
import { listClients, readClient } from '../../clients/configs-table.ts';
import { findStored } from '../../configurations/stored-configuration.ts';
import { waitForContent } from '../../configurations/wait-for-version.ts';
import { copyEvents } from '../../promo-events/copy-events.ts';
import { listPromoEvents } from '../../promo-events/list-promo-events.ts';

/*
 * The local engines have no other reads. DynamoDB may otherwise answer with what was stored a
 * second ago.
 */

interface Input {
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: object;
}

/** A client of DynamoDB that sends nothing. Without `answer`, nothing is found. */
function offlineDynamoDb(answer: (input: Input) => object = () => ({})) {
  const inputs: Input[] = [];
  const handle = async ({ body }: { readonly body?: Uint8Array }) => {
    const input = JSON.parse(new TextDecoder().decode(body));
    inputs.push(input);
    const headers = { date: new Date().toUTCString() };
    const content = [Buffer.from(JSON.stringify(answer(input)))];
    return { response: { statusCode: 200, headers, body: Readable.from(content) } };
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const requestHandler = { handle };
  return {
    inputs,
    dynamodb: new DynamoDBClient({ region: 'eu-central-1', credentials, requestHandler }),
  };
}

type Reader = (table: {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
  readonly configsTableName: string;
}) => Promise<unknown>;

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const nothing = undefined;
const documents = ({ dynamodb, tableName }: Parameters<Reader>[0]) => ({
  documentClient: DynamoDBDocumentClient.from(dynamodb),
  tableName,
});
test.each<[what: string, read: Reader, found: unknown]>([
  ['the configuration of a client', (table) => findStored(table, 'pizza'), nothing],
  ['a client', (table) => readClient(table, 'pizza'), nothing],
  ['all clients', (table) => all(listClients(table)), []],
  ['a version', (table) => readVersion(table, 'pizza', 1), nothing],
  ['the newest versions', (table) => waitForContent(table, 'pizza', 'digest', 0), nothing],
  ['all versions', (table) => all(listVersions(table, 'pizza')), []],
  ['the markers', (table) => readMarkers(documents(table), 'pizza', new Date()), new Map()],
  ['promo events', (table) => all(listPromoEvents(table, { clientId: 'pizza' })), []],
])('%s are read as they were stored last, and may not be there', async (_, read, found) => {
  const { inputs, dynamodb } = offlineDynamoDb();
  const table = { dynamodb, tableName: 'Table', configsTableName: 'Configs' };
  expect(await read(table)).toEqual(found);
  expect(inputs).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});

test('a copy finds what was stored last, also what DynamoDB returns only when asked again', async () => {
  const event = { clientId: { S: 'pizza' }, eventId: { S: 'event' } };
  const batches: object[] = [];
  const { inputs, dynamodb } = offlineDynamoDb(({ RequestItems }) => {
    if (!RequestItems) return { Items: [event] };
    batches.push(RequestItems);
    const isFirst = batches.length === 1;
    return isFirst ? { UnprocessedKeys: RequestItems } : { Responses: { To: [event] } };
  });
  const tables = { from: 'From', to: 'To', erasures: 'Erasures' };
  const { signal } = new AbortController();
  const documentClient = DynamoDBDocumentClient.from(dynamodb);
  const options = { documentClient, ...tables, writes: false, onRead: () => {}, signal };
  expect(await copyEvents(options)).toMatchObject({ copied: 0 });
  // The first one only asks for the time.
  const reads = inputs.slice(1).flatMap((input) => Object.values(input.RequestItems ?? { input }));
  for (const read of reads) expect(read).toMatchObject({ ConsistentRead: true });
});
