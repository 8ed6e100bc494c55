import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { listVersions, readVersion } from 'customer-data-api/history';
import { readMarkers } from 'customer-data-api/promo-events';
import { offlineDynamoDb } from 'customer-data-api/testing/offline-dynamodb';
import { expect, test } from 'vitest';
import { findClient, listClients } from '../../clients/configs-table.ts';
import { waitForContent } from '../../configurations/history.ts';

/*
 * The local engines have no other reads. DynamoDB may otherwise answer with what was stored a
 * second ago.
 */

type Reader = (table: {
  readonly dynamodb: DynamoDBClient;
  readonly tableName: string;
  readonly versionsTableName: string;
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
  ['a client', (table) => findClient(table, 'pizza'), nothing],
  ['all clients', (table) => all(listClients(table)), []],
  ['a version', (table) => readVersion(table, 'pizza', 1), nothing],
  ['the newest versions', (table) => waitForContent(table, 'pizza', 'digest', 0), nothing],
  ['all versions', (table) => all(listVersions(table, 'pizza')), []],
  ['the markers', (table) => readMarkers(documents(table), 'pizza', new Date()), new Map()],
])('%s are read as they were stored last, and may not be there', async (_, read, found) => {
  const { inputs, dynamodb } = offlineDynamoDb();
  const table = {
    dynamodb,
    tableName: 'Table',
    versionsTableName: 'Versions',
    configsTableName: 'Configs',
  };
  expect(await read(table)).toEqual(found);
  expect(inputs).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});
