import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { Messages } from '../../cli/queue-messages.ts';
import { appliedEventId, readPromoEvent } from '../../core/promo-events/promo-event.ts';
import { databaseClient, queueClient } from '../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../local/database.ts';
import { close } from '../../local/listen.ts';
import { startQueues } from '../../local/queues.ts';
import { OUTPUTS } from '../../test/support/outputs.ts';
import { consume } from './consumer.ts';
import { measure } from './measured-command.ts';

const CLIENTS = ['demo', 'acme', 'globex'];
const OTHER_MESSAGES = 3;
/** One event in this many belongs to the user that is erased. */
const USER_EVERY = 1000;
const USER = { clientId: 'demo', userId: 'jane' };
const TABLE = 'PromoEvents';
const BATCH = 10;
const CLIENT_ID = { AttributeName: 'clientId', KeyType: 'HASH', AttributeType: 'S' } as const;
const EVENT_ID = { AttributeName: 'eventId', KeyType: 'RANGE', AttributeType: 'S' } as const;
const TABLES = Object.entries({ Configs: [CLIENT_ID], [TABLE]: [CLIENT_ID, EVENT_ID] }).map(
  ([tableName, keys]) => ({
    tableName,
    keySchema: keys.map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType })),
    attributeDefinitions: keys.map(({ AttributeName, AttributeType }) => ({
      ...{ AttributeName, AttributeType },
    })),
  }),
);

const command = new Command('npm run backlog --')
  .description(
    'Redrives very many dead letters, and erases a user while they wait to be stored, on the embedded queues',
  )
  .argument('[messages]', 'the number of messages', Number, 200_000)
  .action(run);

await command.parseAsync();

async function run(messages: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const queues = await startQueues(
    ['queue', 'dead-letters', 'bus-dead-letters'].map((queueName) => ({
      ...{ queueName, attributes: {} },
    })),
  );
  const database = await startDatabase(await embeddedDynamoDb(), TABLES, '', []);
  const sqs = queueClient(queues.endpoint);
  const dynamodb = DynamoDBDocumentClient.from(databaseClient(database.endpoint));
  const outputs = {
    ...OUTPUTS,
    DynamoDbEndpoint: database.endpoint,
    SqsEndpoint: queues.endpoint,
  };
  const outputsFile = join(folder, 'outputs.json');
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-backlog': outputs }));
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const deployment = ['--outputs', outputsFile];
  const user = ['--client', USER.clientId, '--user', USER.userId];

  async function fill(): Promise<void> {
    const bodies = [
      ...Array.from({ length: messages }, (_, index) => JSON.stringify(eventOf(index))),
      ...Array.from({ length: OTHER_MESSAGES }, (_, index) => `not a promo event: ${index}`),
    ];
    for (let start = 0; start < bodies.length; start += BATCH) {
      await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: outputs.PromoEventsDeadLetterQueueUrl,
          Entries: bodies
            .slice(start, start + BATCH)
            .map((MessageBody, index) => ({ Id: String(index), MessageBody })),
        }),
      );
    }
  }

  try {
    await dynamodb.send(
      new PutCommand({ TableName: 'Configs', Item: { clientId: USER.clientId } }),
    );
    print(
      `Filling the dead-letter queue with ${messages} promo events and ${OTHER_MESSAGES} others`,
    );
    await fill();
    await measure('queue show', deployment, print);

    const interrupted = await measure(
      'queue redrive',
      [...deployment, '--yes'],
      print,
      async () => (await queue.count()).waiting >= messages / 4,
    );
    assert.equal(interrupted.code, 1, 'the interrupted run reports a success');
    const moved = await measure('queue redrive', [...deployment, '--yes'], print);
    assert.equal(moved.code, 0, 'the second run failed');
    assert.deepEqual(await deadLetters.count(), { waiting: OTHER_MESSAGES, inFlight: 0 });
    // A batch that was sent and not deleted when the run was interrupted would be there twice.
    assert.ok((await queue.count()).waiting >= messages, 'messages are lost');

    print('A function stores what waits in the queue, while the user is erased');
    const stopped = new AbortController();
    const seen = consume(sqs, outputs.PromoEventsQueueUrl, store, stopped.signal);
    const erased = await measure('user erase', [...deployment, ...user, '--yes'], print);
    assert.equal(erased.code, 0, 'the erasure failed');
    stopped.abort();
    assert.deepEqual(await queue.count(), { waiting: 0, inFlight: 0 });
    const { Items } = await dynamodb.send(new ScanCommand({ TableName: TABLE }));
    assert.deepEqual(Items, [], 'events of the user are in the table');
    print(`Stored by the function: ${seen.stored}`);
    print(`Longest time in which it received nothing: ${Math.round(seen.longestGapMs)} ms`);

    const again = await measure('user erase', [...deployment, ...user, '--yes'], print);
    assert.equal(again.code, 0, 'a complete search that finds nothing fails');
  } finally {
    sqs.destroy();
    dynamodb.destroy();
    await queues.stop();
    await close(database.server);
    await rm(folder, { recursive: true });
  }

  /** Stores the events of the user only: the table of this machine would be slower than the queue. */
  async function store(batch: readonly { Body?: string | undefined }[]): Promise<void> {
    for (const { Body = '' } of batch) {
      const { event } = readPromoEvent(Body);
      if (event?.userId !== USER.userId || event.clientId !== USER.clientId) continue;
      const Item = { ...event, eventId: appliedEventId(event) };
      await dynamodb.send(new PutCommand({ TableName: TABLE, Item }));
    }
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function eventOf(index: number) {
  const isOfUser = index % USER_EVERY === 0;
  return {
    clientId: isOfUser ? USER.clientId : CLIENTS[index % CLIENTS.length],
    userId: isOfUser ? USER.userId : `user-${index}`,
    promoCode: `C${index}`,
    eventType: 'promo_applied',
    source: 'profile',
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: '2026-11-20T09:30:00.000Z',
    receivedAt: '2026-11-20T09:30:00.412Z',
  };
}
