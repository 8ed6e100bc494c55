import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test, vi } from 'vitest';
import { newLastChange } from '../../../core/clients/last-change.ts';
import type { VersionWithContent } from '../../../core/history/version.ts';
import { historyOf } from '../../support/history.ts';
import { startService } from '../../support/service.ts';

/*
 * What becomes of changes of clients in the running stack: the stream, its event source, the
 * function and the table.
 */

const service = await startService();
afterAll(() => service.stop());

/** Waits until a client has so many versions. */
async function waitForHistory(clientId: string, length: number): Promise<VersionWithContent[]> {
  const { dynamodb, outputs } = service;
  const table = { dynamodb, versionsTableName: outputs.ConfigVersionsTableName };
  return vi.waitFor(
    async () => {
      const versions = await historyOf(table, clientId);
      expect(versions).toHaveLength(length);
      return versions;
    },
    { interval: 20 },
  );
}

test('every change is recorded, with whatever call it was made', async () => {
  const Key = { clientId: 'pizza' };
  const TableName = service.outputs.ConfigsTableName;
  const client = { ...Key, appIds: new Set(['key']), fields: [], lastFieldId: 0 };
  for (const _ of ['once', 'again']) await service.putConfig(client);
  const lastChange = newLastChange({ by: 'ann', message: 'A field less' }, undefined);
  await service.documentClient.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET lastFieldId = :id, lastChange = :change',
      ConditionExpression: '#fields = :base',
      ExpressionAttributeNames: { '#fields': 'fields' },
      ExpressionAttributeValues: { ':id': 1, ':change': lastChange, ':base': [] },
    }),
  );
  await service.documentClient.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'ADD appIds :key',
      ExpressionAttributeValues: { ':key': new Set(['second-key']) },
    }),
  );
  await service.documentClient.send(new DeleteCommand({ TableName, Key }));
  expect(await waitForHistory('pizza', 4)).toMatchObject([
    { version: 1, source: 'manualEdit', content: { lastFieldId: { N: '0' } } },
    {
      version: 2,
      source: 'published',
      by: 'ann',
      message: 'A field less',
      changeId: lastChange.id,
    },
    {
      version: 3,
      source: 'manualEdit',
      access: { fingerprints: [expect.any(String), expect.any(String)] },
    },
    { version: 4, source: 'manualEdit', isDeleted: true, content: {} },
  ]);
});

test('no change is lost or recorded twice when several are made at once, and the function is ended in the middle of its work', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const client = { clientId: 'busy', appIds: ['key'], fields: [] };
  for (const first of [0, 10, 20]) {
    const tens = ids.slice(first, first + 10);
    await Promise.all(tens.map((lastFieldId) => service.putConfig({ ...client, lastFieldId })));
    await service.kill('RecordConfigurationVersions');
  }
  // One that did not begin where the one before it ended would have made a version of its own.
  const history = await waitForHistory('busy', ids.length);
  const recorded = history.map(({ content }) => Number(content.lastFieldId?.N));
  expect(recorded.toSorted((one, other) => one - other)).toEqual(ids);
});
