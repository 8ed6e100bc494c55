import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { Messages } from '../../admin/promo-events/sqs-queue.ts';
import {
  appliedEventId,
  type PromoEvent,
  readPromoEvent,
} from '../../core/promo-events/promo-event.ts';
import { databaseClient, queueClient } from '../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../local/dynamodb/database.ts';
import { startQueues } from '../../local/events/queues.ts';
import { close } from '../../local/listen.ts';
import { OUTPUTS } from '../../test/support/outputs.ts';
import { eventOf } from '../../test/support/promo-event.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENTS = ['demo', 'acme', 'globex'];
const OTHER_MESSAGES = 3;
/** One event in this many belongs to the user to erase. */
const USER_EVERY = 1000;
const USER = { clientId: 'demo', userId: 'jane' };
const BATCH = 10;
/** Batches in flight, as in the function's deployed event source. */
const CONCURRENCY = 10;
const IDLE_MS = 50;
const SAMPLE_MS = 200;

const command = new Command('npm run backlog --')
  .description(
    'Redrives very many dead letters, and erases a user while they wait to be stored, on the embedded queues',
  )
  .argument('[messages]', 'the number of messages', Number, 200_000)
  .action(run);

await command.parseAsync();

async function run(messages: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const queueNames = ['queue', 'dead-letters', 'bus-dead-letters'];
  const queues = await startQueues(queueNames.map((queueName) => ({ queueName, attributes: {} })));
  const tables = [table('Configs', 'clientId'), table('PromoEvents', 'clientId', 'eventId')];
  const database = await startDatabase(await embeddedDynamoDb(), tables, '', []);
  const sqs = queueClient(queues.endpoint);
  const dynamodb = DynamoDBDocumentClient.from(databaseClient(database.endpoint));
  const endpoints = { DynamoDbEndpoint: database.endpoint, SqsEndpoint: queues.endpoint };
  const outputsFile = join(folder, 'outputs.json');
  const outputs = { ...OUTPUTS, ...endpoints };
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-backlog': outputs }));
  const queue = new Messages(sqs, OUTPUTS.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, OUTPUTS.PromoEventsDeadLetterQueueUrl);
  const measure = (words: string, isEnough?: () => Promise<boolean>) =>
    measureCommand([...words.split(' '), '--outputs', outputsFile], isEnough);

  try {
    await dynamodb.send(
      new PutCommand({ TableName: 'Configs', Item: { clientId: USER.clientId } }),
    );
    print(
      `Filling the dead-letter queue with ${messages} promo events and ${OTHER_MESSAGES} others`,
    );
    await fill(sqs, [
      ...Array.from({ length: messages }, (_, index) => JSON.stringify(eventNumber(index))),
      ...Array.from({ length: OTHER_MESSAGES }, (_, index) => `not a promo event: ${index}`),
    ]);
    await measure('queue show');

    const isEnough = async () => (await queue.count()).waiting >= messages / 4;
    const interrupted = await measure('queue redrive --yes', isEnough);
    assert.equal(interrupted, 1, 'the interrupted run reports a success');
    assert.equal(await measure('queue redrive --yes'), 0, 'the second run failed');
    assert.deepEqual(await deadLetters.count(), { waiting: OTHER_MESSAGES, inFlight: 0 });
    // A batch sent but not deleted before the interruption would be there twice.
    assert.ok((await queue.count()).waiting >= messages, 'messages are lost');

    print('A function stores what waits in the queue, while the user is erased');
    const stopped = new AbortController();
    for (let worker = 0; worker < CONCURRENCY; worker++) void consume(sqs, store, stopped.signal);
    const erase = `user erase ${USER.clientId} --user ${USER.userId} --yes`;
    assert.equal(await measure(erase), 0, 'the erasure failed');
    stopped.abort();
    assert.deepEqual(await queue.count(), { waiting: 0, inFlight: 0 });
    const { Items } = await dynamodb.send(new ScanCommand({ TableName: 'PromoEvents' }));
    assert.deepEqual(Items, [], 'events of the user are in the table');
    assert.equal(await measure(erase), 0, 'a complete search that finds nothing fails');
  } finally {
    sqs.destroy();
    dynamodb.destroy();
    await queues.stop();
    await close(database.server);
    await rm(folder, { recursive: true });
  }

  /** Stores only the user's events: the local table would be slower than the queue. */
  async function store(body: string): Promise<void> {
    const { event } = readPromoEvent(body);
    if (event?.userId !== USER.userId || event.clientId !== USER.clientId) return;
    const Item = { ...event, eventId: appliedEventId(event) };
    await dynamodb.send(new PutCommand({ TableName: 'PromoEvents', Item }));
  }
}

function table(tableName: string, ...keys: readonly string[]) {
  const types = ['HASH', 'RANGE'] as const;
  return {
    tableName,
    keySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: types[index] })),
    attributeDefinitions: keys.map((AttributeName) => ({
      ...{ AttributeName, AttributeType: 'S' as const },
    })),
  };
}

async function fill(sqs: SQSClient, bodies: readonly string[]): Promise<void> {
  const QueueUrl = OUTPUTS.PromoEventsDeadLetterQueueUrl;
  for (let start = 0; start < bodies.length; start += BATCH) {
    const batch = bodies.slice(start, start + BATCH);
    const Entries = batch.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/**
 * Receives, stores and deletes messages until the signal aborts, like an instance of the function
 * that stores them.
 */
async function consume(
  sqs: SQSClient,
  store: (body: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const QueueUrl = OUTPUTS.PromoEventsQueueUrl;
  const receive = { QueueUrl, MaxNumberOfMessages: BATCH, VisibilityTimeout: 120 };
  while (!signal.aborted) {
    const { Messages: batch = [] } = await sqs.send(new ReceiveMessageCommand(receive));
    if (batch.length === 0) {
      await setTimeout(IDLE_MS);
      continue;
    }
    for (const { Body = '' } of batch) await store(Body);
    const Entries = batch.map(({ ReceiptHandle }, index) => ({
      ...{ Id: String(index), ReceiptHandle },
    }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/**
 * Runs a `customer-data` command in its own process. Prints its duration and, on systems with
 * /proc, its peak memory. Interrupts it, like Ctrl-C, once `isEnough`. Returns its exit code.
 */
async function measureCommand(
  words: readonly string[],
  isEnough: () => Promise<boolean> = async () => false,
): Promise<number | null> {
  print(`$ customer-data ${words.join(' ')}`);
  const start = performance.now();
  const child = spawn(process.execPath, ['bin/customer-data.ts', ...words], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peak = 0;
  const sampling = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? peak);
    // Once: the second signal would end the process before it reports.
    if ((await isEnough()) && !child.killed) child.kill('SIGINT');
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

function eventNumber(index: number): PromoEvent {
  const promoCode = `C${index}`;
  if (index % USER_EVERY === 0) return eventOf(USER.userId, { promoCode });
  return eventOf(`user-${index}`, { promoCode, clientId: CLIENTS[index % CLIENTS.length] ?? '' });
}
