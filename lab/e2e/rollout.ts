import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { customerData } from '../../packages/command-line/test/support/command-line.ts';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { PIZZA } from '../../test/support/configurations.ts';
import { command, type Deployment, until } from './deployment.ts';

/**
 * Starts and stops a rollout, and deletes the client by hand. The history has each change: the
 * stream, its event source and the function work together, with the permissions of the stack.
 *
 * @throws AssertionError
 */
export async function expectRecorded(deployment: Deployment): Promise<void> {
  const { folder, options, outputs, print } = deployment;
  const dynamodb = awsClient('dynamodb', DynamoDB, {});
  const clientId = `e2e-${randomUUID()}`;
  const item = { TableName: outputs.ConfigsTableName, Key: marshall({ clientId }) };
  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${outputs.ConfigsTableName}`, async () => {
    await dynamodb.deleteItem(item);
  });
  await command(deployment, 'clients', 'create', clientId);
  const file = join(folder, `${clientId}.yaml`);
  await command(deployment, 'config', 'show', clientId, file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^fields:.*/m, PIZZA.slice(PIZZA.indexOf('fields:'))));
  const start = ['config', 'publish', file, '--rollout', '50', '-m', 'First fields', '--yes'];
  await command(deployment, ...start);
  await command(deployment, 'rollout', 'stop', clientId, '-m', 'Complaints', '--yes');
  await dynamodb.deleteItem(item);
  const history = await until('the history', async () => {
    const { stdout } = await customerData(['config', 'history', clientId, '--json', ...options]);
    const lines = stdout.trim().split('\n');
    return lines.length >= 4 && lines;
  });
  const parts = [/"isDeleted":true/, /Complaints/, /First fields/, /Created/];
  for (const [index, part] of parts.entries()) assert.match(history[index] ?? '', part);
}
