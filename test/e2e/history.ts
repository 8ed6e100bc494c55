import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { newLastChange } from '../../core/configuration/last-change.ts';
import type { VersionSummary } from '../../core/configuration/version.ts';
import { listVersions } from '../../core/configuration/versions-table.ts';
import type { Deployment } from './deployment.ts';

/** Operators expect to see a change within a minute. */
const PATIENCE_MS = 60_000;

/**
 * Publishes a configuration, edits it by hand and deletes it. Checks that the table's stream, its event source and the function
 * make a version of each change, within a minute.
 *
 * @throws AssertionError
 */
export async function expectRecorded({ outputs, print }: Deployment): Promise<void> {
  const dynamodb = new DynamoDB({});
  const TableName = outputs.ConfigsTableName;
  const clientId = `e2e-${randomUUID()}`;
  const Key = marshall({ clientId });
  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${TableName}`, async () => {
    await dynamodb.deleteItem({ TableName, Key });
  });
  const lastChange = newLastChange({
    ...{ by: 'e2e', message: 'A new client', creates: clientId, removes: true },
  });
  const client = { clientId, appIds: new Set(['key']), fields: [], lastFieldId: 7, lastChange };
  await dynamodb.putItem({ TableName, Item: marshall(client) });
  await dynamodb.updateItem({
    ...{ TableName, Key },
    UpdateExpression: 'SET lastFieldId = :id',
    ExpressionAttributeValues: marshall({ ':id': 8 }),
  });
  await dynamodb.deleteItem({ TableName, Key });
  const history = await historyOf(
    { dynamodb, tableName: outputs.ConfigVersionsTableName },
    clientId,
  );
  assert.deepEqual(
    history.map(({ version, source, by, isDeleted = false }) => [version, source, by, isDeleted]),
    [
      [3, 'published', 'e2e', true],
      [2, 'outside', undefined, false],
      [1, 'published', 'e2e', false],
    ],
    'the history is not what was done',
  );
}

/** Waits for the three versions of the client, the newest first. */
async function historyOf(
  table: Parameters<typeof listVersions>[0],
  clientId: string,
): Promise<VersionSummary[]> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const history: VersionSummary[] = [];
    for await (const version of listVersions(table, clientId)) history.push(version);
    if (history.length >= 3 || Date.now() > giveUpAt) return history;
    await setTimeout(500);
  }
}
