import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { embeddedDynamoDb } from '../../../../local/dynamodb/database.ts';
import { close, listen } from '../../../../local/listen.ts';

test('it keeps its data open for requests whose connections are closed', async () => {
  const server = await embeddedDynamoDb();
  const endpoint = await listen(server);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let received = 0;
  server.on('request', () => {
    if (++received === 20) resolve(close(server));
  });
  const GET = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.DescribeTable',
      'X-Amz-Date': '20261121T000000Z',
      Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c',
    },
    body: '{"TableName":"Configs"}',
  };
  // dynalite throws where nobody can catch it if its data is closed.
  const answers = Promise.allSettled(Array.from({ length: 20 }, () => fetch(endpoint, GET)));
  await closed;
  expect((await answers).filter(({ status }) => status === 'rejected')).not.toEqual([]);
});

test('a folder that cannot be used is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(embeddedDynamoDb(file)).rejects.toThrow(`The data folder ${file} cannot be used.`);
});
