import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { callGetConfig } from '../../cli/smoke/requests.ts';
import { createUser } from '../../cli/smoke/user.ts';
import { customerData } from '../support/command-line.ts';
import { PIZZA } from '../support/configurations.ts';
import type { Deployment } from './deployment.ts';

/**
 * Creates a client and changes its configuration as operators do: publish, publish again, look back, go back. Each command waits for
 * the version that the table's stream, its event source and the function record. Checks the history, and that apps get what they got
 * with the first fields.
 *
 * @throws AssertionError
 */
export async function expectPublished(deployment: Deployment): Promise<void> {
  const { outputs, outputsFile, url, print } = deployment;
  const clientId = `e2e-${randomUUID()}`;
  const file = join(dirname(outputsFile), `${clientId}.yaml`);
  const command = async (...words: string[]): Promise<string> => {
    const finished = await customerData([...words, '--outputs', outputsFile]);
    assert.equal(finished.code, 0, `${words.join(' ')}\n${finished.stderr}`);
    return finished.stdout.trim();
  };
  const version = (number: number) => `${clientId}@${number}`;

  await using cleanup = new Cleanup(print);
  cleanup.willRemove(`the item ${clientId} in ${outputs.ConfigsTableName}`, async () => {
    const dynamodb = new DynamoDB({});
    await dynamodb.deleteItem({ TableName: outputs.ConfigsTableName, Key: marshall({ clientId }) });
  });
  const appId = await command('clients', 'create', clientId);
  const user = await createUser(outputs, outputsFile, cleanup);

  await command('config', 'pull', clientId, file);
  const pulled = await readFile(file, 'utf8');
  const fields = PIZZA.slice(PIZZA.indexOf('fields:'));
  await writeFile(
    file,
    pulled.replace(/^fields:.*/m, () => fields),
  );
  const publish = (message: string) =>
    command('config', 'publish', clientId, file, '-m', message, '--yes');
  assert.equal(await publish('First fields'), version(2));

  const published = await readFile(file, 'utf8');
  await writeFile(file, published.replace('fieldName: Car', 'fieldName: Vehicle'));
  assert.equal(await publish('A better name'), version(3));
  const diff = ['config', 'diff', version(2), version(3), '--outputs', outputsFile];
  assert.match((await customerData(diff)).stdout, /^Car is now called Vehicle\.\n/);

  const rollback = ['config', 'rollback', version(2), '-m', 'Car is what they say', '--yes'];
  assert.equal(await command(...rollback), version(4));
  const history = await command('config', 'history', clientId, '--json');
  assert.deepEqual(
    history
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ source, message, restores, problems }) => [source, message, restores, problems]),
    [
      ['published', 'Car is what they say', 2, 0],
      ['published', 'A better name', undefined, 0],
      ['published', 'First fields', undefined, 0],
      ['published', 'Created', undefined, 0],
    ],
    'the history is not what was done',
  );

  const client = { clientId, appId, promoEvents: async () => [] };
  const { body } = await callGetConfig({ url, user, client, isUserBound: true });
  const { fields: served } = body.data as { fields: readonly { fieldName: string }[] };
  assert.deepEqual(
    served.map(({ fieldName }) => fieldName),
    ['Favourite pizza', 'Membership number', 'Car'],
    'apps do not get what was brought back',
  );
}
