import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { getConfig } from '../../functions/get-config/operation.ts';
import { call } from '../../packages/operator/smoke/checks.ts';
import { Cleanup, createUser } from '../../packages/operator/smoke/subject.ts';
import { customerData } from '../../packages/operator/test/support/command-line.ts';
import { PIZZA } from '../../test/support/configurations.ts';
import { command, type Deployment, until } from './deployment.ts';

/**
 * Creates a client and changes it as operators do: publish, publish again, go back. Each command
 * waits for the version that the table's stream, its event source and the function record. Then
 * edits the client by hand and deletes it. Checks what apps get, and that the history has each
 * change, within a minute.
 *
 * @throws AssertionError
 */
export async function expectPublished(deployment: Deployment): Promise<void> {
  const { folder, options, outputs, url, print } = deployment;
  const clientId = `e2e-${randomUUID()}`;
  const file = join(folder, `${clientId}.yaml`);
  const dynamodb = new DynamoDB({});
  const item = { TableName: outputs.ConfigsTableName, Key: marshall({ clientId }) };
  const config = async (...words: string[]) =>
    (await command(deployment, 'config', ...words)).trim();
  const edit = async (pattern: RegExp, text: string) =>
    writeFile(file, (await readFile(file, 'utf8')).replace(pattern, text));

  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${outputs.ConfigsTableName}`, async () => {
    await dynamodb.deleteItem(item);
  });
  const appId = (await command(deployment, 'clients', 'create', clientId)).trim();
  const user = await createUser(outputs, undefined, cleanup);

  await config('show', clientId, file);
  await edit(/^fields:.*/m, PIZZA.slice(PIZZA.indexOf('fields:')));
  const publish = (message: string) => config('publish', file, '-m', message, '--yes');
  assert.equal(await publish('First fields'), `${clientId}@2`);
  await edit(/fieldName: Car/, 'fieldName: Vehicle');
  assert.equal(await publish('A better name'), `${clientId}@3`);
  const rollback = ['rollback', `${clientId}@2`, '-m', 'Car is what they say', '--yes'];
  assert.equal(await config(...rollback), `${clientId}@4`);

  const subject = { url, ...user, clientId, appId, countPromoEvents: async () => 0 };
  const { body } = await call(subject, getConfig);
  const { fields } = body.data as { fields: readonly { fieldName: string }[] };
  assert.deepEqual(
    fields.map(({ fieldName }) => fieldName),
    ['Favourite pizza', 'Membership number', 'Car'],
    'apps do not get what was brought back',
  );

  await dynamodb.updateItem({
    ...item,
    UpdateExpression: 'SET lastFieldId = :id',
    ExpressionAttributeValues: marshall({ ':id': 8 }),
  });
  await dynamodb.deleteItem(item);
  const history = await until('the history', async () => {
    const { stdout } = await customerData(['config', 'history', clientId, '--json', ...options]);
    const lines = stdout.trim().split('\n');
    return lines.length >= 6 && lines.map((line) => JSON.parse(line));
  });
  assert.deepEqual(
    history.map(({ source, message, restores, isDeleted }) => [
      source,
      ...(source === 'published' ? [message, restores] : []),
      isDeleted,
    ]),
    [
      ['manualEdit', true],
      ['manualEdit', undefined],
      ['published', 'Car is what they say', 2, undefined],
      ['published', 'A better name', undefined, undefined],
      ['published', 'First fields', undefined, undefined],
      ['published', 'Created', undefined, undefined],
    ],
    'the history is not what was done',
  );
}
