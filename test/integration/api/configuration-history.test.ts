import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Cleanup } from '../../../cli/commands/smoke/cleanup.ts';
import { createClient } from '../../../cli/commands/smoke/test-client-record.ts';
import { newLastChange } from '../../../core/clients/last-change.ts';
import type { ConfigVersion } from '../../../core/history/version.ts';
import { historyOf } from '../../support/history.ts';
import { type Service, startService } from '../../support/service.ts';

/*
 * What becomes of changes of clients in the running stack: the stream, its event source, the
 * function and the table.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Waits until a client has so many versions. */
async function waitForHistory(clientId: string, length: number): Promise<ConfigVersion[]> {
  const { dynamodb, outputs } = service;
  const table = { dynamodb, tableName: outputs.ConfigVersionsTableName };
  return vi.waitFor(
    async () => {
      const versions = await historyOf(table, clientId);
      expect(versions).toHaveLength(length);
      return versions;
    },
    { timeout: 100_000, interval: 20 },
  );
}

test('every change is recorded, with whatever call it was made', async () => {
  const Key = { clientId: 'pizza' };
  const TableName = service.outputs.ConfigsTableName;
  const client = { ...Key, appIds: new Set(['key']), fields: [], lastFieldId: 0 };
  await service.putConfig(client);
  const lastChange = newLastChange({ by: 'ann', message: 'A field less' });
  await service.documentClient.send(
    new UpdateCommand({
      ...{ TableName, Key },
      UpdateExpression: 'SET lastFieldId = :id, lastChange = :change',
      ConditionExpression: '#fields = :base',
      ExpressionAttributeNames: { '#fields': 'fields' },
      ExpressionAttributeValues: { ':id': 1, ':change': lastChange, ':base': [] },
    }),
  );
  await service.documentClient.send(
    new UpdateCommand({
      ...{ TableName, Key },
      UpdateExpression: 'ADD appIds :key',
      ExpressionAttributeValues: { ':key': new Set(['second-key']) },
    }),
  );
  await service.documentClient.send(new DeleteCommand({ TableName, Key }));
  expect(await waitForHistory('pizza', 4)).toMatchObject([
    { version: 1, source: 'outside', content: { lastFieldId: { N: '0' } } },
    {
      version: 2,
      source: 'published',
      by: 'ann',
      message: 'A field less',
      changeId: lastChange.id,
    },
    { version: 3, source: 'outside', keys: { appIds: [expect.any(String), expect.any(String)] } },
    { version: 4, source: 'outside', isDeleted: true, content: {} },
  ]);
});

test('a client that existed before its first change has its old configuration in the history', async () => {
  await service.putConfig({ clientId: 'acme', appIds: ['key'], fields: [], lastFieldId: 99 });
  const [before, after] = await waitForHistory('acme', 2);
  expect(before?.content.lastFieldId).not.toEqual({ N: '99' });
  expect(before?.content.fields?.L?.length).toBeGreaterThan(0);
  expect(after?.content).toEqual({ fields: { L: [] }, lastFieldId: { N: '99' } });
});

test('no change is lost or recorded twice when the function is ended in the middle of its work', async () => {
  const edits = 30;
  for (let lastFieldId = 1; lastFieldId <= edits; lastFieldId++) {
    await service.putConfig({ clientId: 'busy', appIds: ['key'], fields: [], lastFieldId });
    if (lastFieldId % 10 === 0) await service.kill('RecordConfigurationVersions');
  }
  const history = await waitForHistory('busy', edits);
  const expected = Array.from({ length: edits }, (_, index) => String(index + 1));
  expect(history.map(({ content }) => content.lastFieldId?.N)).toEqual(expected);
});

test('the client of the smoke checks comes and goes without harm, so that no alarm is raised', async () => {
  const { lines } = service.watchLog();
  const created = new Cleanup(() => {});
  const { clientId } = await createClient(service.outputs, created);
  await created[Symbol.asyncDispose]();
  expect(await waitForHistory(clientId, 2)).toMatchObject([
    { source: 'published', by: 'customer-data smoke', problems: 0 },
    { source: 'published', by: 'customer-data smoke', isDeleted: true },
  ]);
  expect(lines().join()).not.toMatch(/harm|ChangedOutside/);
});

test('the log names a client that a change from outside harmed, its version and the harm, and no key', async () => {
  const { lines, logged } = service.watchLog();
  await service.putConfig({ clientId: 'phantom', appIds: new Set(['secret-key']) });
  await logged('"harm":', '"ManualEditHarmedClient":1', '"findings":');
  const line = lines().find((text) => text.includes('"harm":')) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    ...{ level: 'WARN', service: 'record-configuration-versions', clientId: 'phantom', version: 1 },
    harm: [expect.stringMatching(/^problems: /)],
  });
  expect(lines().join()).not.toContain('secret-key');
});
