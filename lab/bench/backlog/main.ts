import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { erasureLookup, type IsErased } from '../../../core/promo-events/erasures.ts';
import { type PromoEvent, readPromoEvent } from '../../../core/promo-events/promo-event.ts';
import { databaseClient, queueClient } from '../../../packages/deployment/local/clients.ts';
import { close } from '../../../packages/deployment/local/listen.ts';
import { embeddedDynamoDb, startDatabase } from '../../../packages/local/dynamodb/database.ts';
import { startQueues } from '../../../packages/local/events/queues.ts';
import { SqsQueue } from '../../../packages/on-call/promo-events/sqs-queue.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { newTable } from '../../../test/support/new-table.ts';
import { OUTPUTS } from '../../../test/support/outputs.ts';
import { eventOf } from '../../../test/support/promo-event.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const CLIENTS = ['demo', 'acme', 'globex'];
/** So many events belong to the user to erase, evenly among all: some are in each third. */
const OF_USER = 200;
const USER = { clientId: 'demo', userId: 'jane' };
/** Batches in flight, as in the function's deployed event source. */
const CONCURRENCY = 10;
const SAMPLE_MS = 200;
/** The largest batch that SQS returns and accepts. */
const BATCH_SIZE = 10;

const command = new Command('npm run backlog --')
  .description(
    'Erases a user while very many promo events wait, and drains the queue with and without a look at the markers, on the embedded queues',
  )
  .argument('[messages]', 'the number of messages', Number, 200_000)
  .action(run);

await command.parseAsync();

async function run(messages: number): Promise<void> {
  await using folder = await newFolder();
  const queueNames = ['queue', 'dead-letters', 'bus-queue', 'bus-dead-letters'];
  const queues = await startQueues(queueNames.map((queueName) => ({ queueName, attributes: {} })));
  const tables = [
    newTable('Configs', 'clientId'),
    newTable('PromoEvents', 'clientId', 'eventId'),
    ...['Erasures', 'NoErasures'].map((name) => newTable(name, 'clientId', 'user')),
  ];
  const database = await startDatabase(await embeddedDynamoDb(), tables, '', []);
  const sqs = queueClient(queues.endpoint);
  const dynamodb = DynamoDBDocumentClient.from(databaseClient(database.endpoint));
  const endpoints = { DynamoDbEndpoint: database.endpoint, SqsEndpoint: queues.endpoint };
  const outputsFile = join(folder.path, 'outputs.json');
  const outputs = { ...OUTPUTS, ...endpoints };
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-backlog': outputs }));
  const QueueUrl = OUTPUTS.PromoEventsQueueUrl;
  const queue = new SqsQueue(sqs, QueueUrl);
  const measure = (words: string) =>
    measureCommand([...words.split(' '), '--outputs', outputsFile]);

  try {
    await dynamodb.send(
      new PutCommand({ TableName: 'Configs', Item: { clientId: USER.clientId } }),
    );
    print(`Filling the queue with ${messages} promo events`);
    await inTurns(Math.ceil(messages / BATCH_SIZE), async (batch) => {
      const length = Math.min(BATCH_SIZE, messages - batch * BATCH_SIZE);
      const Entries = Array.from({ length }, (_, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(eventNumber(batch * BATCH_SIZE + index, messages)),
      }));
      await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    });
    assert.equal(await measure('queue show'), 0, 'the messages are not counted');

    const erase = `user erase ${USER.clientId} --user ${USER.userId} --yes`;
    assert.equal(await measure(erase), 0, 'the erasure failed');
    print('Drains a third of the queue each, as the function does, but without the table');
    const part = Math.ceil(messages / 3);
    const never: IsErased = async () => false;
    await measureDrain('without a look at the markers', part, () => never);
    await measureDrain('without markers', part, () => lookup('NoErasures'));
    const dropped = await measureDrain(
      'with a younger marker of one client in three',
      messages,
      () => lookup('Erasures'),
    );
    assert.ok(dropped > 0, 'no message of the user is dropped');
    assert.deepEqual(await queue.count(), { waiting: 0, inFlight: 0 });
  } finally {
    sqs.destroy();
    dynamodb.destroy();
    await queues.stop();
    await close(database.server);
  }

  function lookup(tableName: string): IsErased {
    return erasureLookup({ documentClient: dynamodb, tableName }, new Date());
  }

  /**
   * Takes a number of messages from the queue, and deletes them. Prints how many in a second.
   *
   * @param newLookup is called for each batch.
   * @returns the number of events of erased users.
   */
  async function measureDrain(
    name: string,
    most: number,
    newLookup: () => IsErased,
  ): Promise<number> {
    let [taken, erased] = [0, 0];
    const start = performance.now();
    await inTurns(Math.ceil(most / BATCH_SIZE), async () => {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: BATCH_SIZE });
      const { Messages: batch = [] } = await sqs.send(receive);
      if (batch.length === 0) return;
      const isErased = newLookup();
      const events = batch.map(({ Body = '' }) => readPromoEvent(Body).event);
      const found = await Promise.all(events.map((event) => event && isErased(event)));
      for (const [index, one] of found.entries()) {
        assert.equal(one && events[index]?.userId !== USER.userId, false, 'another user');
        if (one) erased++;
      }
      taken += batch.length;
      const Entries = batch.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    });
    const seconds = (performance.now() - start) / 1000;
    print(
      `  ${name}: ${taken} messages, ${Math.round(taken / seconds)} per second, ${erased} erased`,
    );
    return erased;
  }
}

/** Does something so many times, and as often at the same time as Lambda does. */
async function inTurns(times: number, work: (turn: number) => Promise<void>): Promise<void> {
  const turns = Array.from({ length: times }).keys();
  const worker = async () => {
    for (const turn of turns) await work(turn);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/**
 * Runs a `customer-data` command in its own process. Prints its duration and, on systems with
 * /proc, its peak memory. Returns its exit code.
 */
async function measureCommand(words: readonly string[]): Promise<number | null> {
  print(`$ customer-data ${words.join(' ')}`);
  const start = performance.now();
  const child = spawn(process.execPath, ['packages/command-line/customer-data.ts', ...words], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peak = 0;
  const sampling = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? peak);
  }, SAMPLE_MS);
  const [code] = await once(child, 'exit');
  clearInterval(sampling);
  const seconds = Math.round((performance.now() - start) / 1000);
  print(`  (${seconds} s, ${Math.round(peak / 1024)} MB, exit code ${code})\n`);
  return code;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function eventNumber(index: number, messages: number): PromoEvent {
  const promoCode = `C${index}`;
  if (index % Math.ceil(messages / OF_USER) === 0) return eventOf(USER.userId, { promoCode });
  return eventOf(`user-${index}`, { promoCode, clientId: CLIENTS[index % CLIENTS.length] ?? '' });
}
