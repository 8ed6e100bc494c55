import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type _Record, DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { createClient } from '../../cli/smoke/client.ts';
import { application, apply, expectSuccess, type Subject } from '../../cli/smoke/requests.ts';
import { createUser } from '../../cli/smoke/user.ts';
import type { Deployment } from './deployment.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const WAIT_MS = 30_000;
const POLL_MS = 200;

/** Where a record is in the stream. */
interface Found {
  readonly streamArn: string;
  readonly shardId: string;
  readonly record: _Record;
}

/**
 * The emulator does not run the pipe. Checks the rest of the path to a consumer: an application is a record of the stream,
 * `customer-data queue replay` publishes the event of its dead letter, and rules of the bus pass it to a queue, unless they leave out
 * the events of checks.
 *
 * @throws AssertionError
 */
export async function expectEventReplayed(deployment: Deployment): Promise<void> {
  const { outputs, outputsFile, url, print } = deployment;
  const [sqs, eventBridge] = [new SQS({ useQueueUrlAsEndpoint: false }), new EventBridge({})];
  await using cleanup = new Cleanup(print);
  const user = await createUser(outputs, outputsFile, cleanup);
  const client = await createClient(outputs, cleanup);
  const subject: Subject = { url, user, client, isUserBound: true };

  /** A queue that receives what a rule passes. */
  async function consumerOf(clientId: unknown): Promise<() => Promise<string[]>> {
    const name = `e2e-${randomUUID()}`;
    const { QueueUrl = '' } = await sqs.createQueue({ QueueName: name });
    cleanup.willRemove(`the queue ${name}`, async () => {
      await sqs.deleteQueue({ QueueUrl });
    });
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
    const EventBusName = outputs.PromoEventsBusName;
    const EventPattern = JSON.stringify({
      source: ['customer-data-api.promo-events'],
      'detail-type': ['applied'],
      detail: { version: ['1'], item: { clientId: { S: [clientId] } } },
    });
    await eventBridge.putRule({ Name: name, EventBusName, EventPattern });
    cleanup.willRemove(`the rule ${name}`, async () => {
      await eventBridge.removeTargets({ Rule: name, EventBusName, Ids: ['queue'] });
      await eventBridge.deleteRule({ Name: name, EventBusName });
    });
    const Targets = [{ Id: 'queue', Arn: Attributes?.QueueArn ?? '' }];
    await eventBridge.putTargets({ Rule: name, EventBusName, Targets });
    return async () => {
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      return Messages.map(({ Body = '' }) => Body);
    };
  }

  const ofClient = await consumerOf(client.clientId);
  const withoutChecks = await consumerOf({ 'anything-but': { prefix: 'smoke-' } });
  const request = application(subject);
  expectSuccess(await apply(subject, request));
  const { streamArn, shardId, record } = await recordOf(
    outputs.PromoEventsTableName,
    client.clientId,
  );
  assert.equal(record.eventName, 'INSERT');
  const { SequenceNumber } = record.dynamodb ?? {};
  await sqs.sendMessage({
    QueueUrl: outputs.PromoEventsBusDeadLetterQueueUrl,
    MessageBody: JSON.stringify({
      context: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: {
        ...{ streamArn, shardId, batchSize: 1 },
        startSequenceNumber: SequenceNumber,
        endSequenceNumber: SequenceNumber,
        approximateArrivalOfFirstRecord: new Date().toISOString(),
      },
    }),
  });
  const args = ['bin/customer-data.ts', 'queue', 'replay', '--outputs', outputsFile, '--yes'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT });
  print(`$ customer-data ${args.slice(1).join(' ')}\n${stdout.trimEnd()}`);

  const [event, ...others] = await until('the event', ofClient);
  assert.deepEqual(others, [], 'the consumer received more than one event');
  const { source, 'detail-type': detailType, detail } = JSON.parse(event ?? '');
  assert.equal(source, 'customer-data-api.promo-events');
  assert.equal(detailType, 'applied');
  assert.deepEqual(detail.item.promoCode, { S: request.body.promoCode });
  assert.deepEqual(await withoutChecks(), [], 'a rule that leaves out checks received one');
  // The same rule passes the event of another client.
  detail.item.clientId = { S: 'demo' };
  await eventBridge.putEvents({
    Entries: [
      {
        EventBusName: outputs.PromoEventsBusName,
        ...{ Source: source, DetailType: detailType, Detail: JSON.stringify(detail) },
      },
    ],
  });
  const [passed = ''] = await until('the event of another client', withoutChecks);
  assert.deepEqual(JSON.parse(passed).detail, detail);
}

/** Finds the record of a client's item. */
async function recordOf(TableName: string, clientId: string): Promise<Found> {
  const streams = new DynamoDBStreams({});
  const { Streams: [{ StreamArn = '' } = {}] = [] } = await streams.listStreams({ TableName });
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
    const { ShardIterator } = await streams.getShardIterator({
      ...{ StreamArn, ShardId },
      ShardIteratorType: 'TRIM_HORIZON',
    });
    const { Records = [] } = await streams.getRecords({ ShardIterator });
    const record = Records.find(({ dynamodb }) => dynamodb?.Keys?.clientId?.S === clientId);
    if (record) return { streamArn: StreamArn, shardId: ShardId, record };
  }
  assert.fail(`the stream ${StreamArn} has no record of ${clientId}`);
}

async function until(what: string, find: () => Promise<string[]>): Promise<string[]> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await find();
    if (found.length > 0) return found;
    assert.ok(Date.now() < deadline, `timed out waiting for ${what}`);
    await setTimeout(POLL_MS);
  }
}
