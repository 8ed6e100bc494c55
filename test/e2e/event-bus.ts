import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import { Cleanup } from '../../cli/commands/smoke/cleanup.ts';
import { application, apply, expectSuccess } from '../../cli/commands/smoke/requests.ts';
import { command, type Deployment, newSubject, until } from './deployment.ts';

/**
 * The emulator does not run the pipe. Checks the rest of the path to a consumer: an application is
 * a record of the stream, `./customer-data queue replay` publishes the event of its dead letter,
 * and a rule of the bus passes it to a queue.
 *
 * @throws AssertionError
 */
export async function expectEventReplayed(deployment: Deployment): Promise<void> {
  const { outputs, print } = deployment;
  const [sqs, eventBridge] = [new SQS({ useQueueUrlAsEndpoint: false }), new EventBridge({})];
  await using cleanup = new Cleanup(print);
  const subject = await newSubject(deployment, cleanup);
  const { clientId } = subject.client;

  // A queue that receives what a rule passes.
  const name = `e2e-${randomUUID()}`;
  const { QueueUrl = '' } = await sqs.createQueue({ QueueName: name });
  cleanup.willRemove(`the queue ${name}`, async () => {
    await sqs.deleteQueue({ QueueUrl });
  });
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  const rule = { Name: name, EventBusName: outputs.PromoEventsBusName };
  const EventPattern = JSON.stringify({
    source: ['customer-data-api.promo-events'],
    'detail-type': ['applied'],
    detail: { version: ['1'], item: { clientId: { S: [clientId] } } },
  });
  await eventBridge.putRule({ ...rule, EventPattern });
  const target = { Rule: name, EventBusName: rule.EventBusName };
  cleanup.willRemove(`the rule ${name}`, async () => {
    await eventBridge.removeTargets({ ...target, Ids: ['queue'] });
    await eventBridge.deleteRule(rule);
  });
  const Targets = [{ Id: 'queue', Arn: Attributes?.QueueArn ?? '' }];
  await eventBridge.putTargets({ ...target, Targets });

  const request = application(subject);
  expectSuccess(await apply(subject, request));
  await sqs.sendMessage({
    QueueUrl: outputs.PromoEventsBusDeadLetterQueueUrl,
    MessageBody: JSON.stringify({
      context: { condition: 'RetryAttemptsExhausted' },
      DDBStreamBatchInfo: await positionOf(outputs.PromoEventsTableName, clientId),
    }),
  });
  await command(deployment, 'queue', 'replay', '--yes');

  const [event, ...others] = await until('the event', async () => {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    return Messages.length > 0 && Messages.map(({ Body = '' }) => JSON.parse(Body));
  });
  assert.deepEqual(others, [], 'the consumer received more than one event');
  assert.deepEqual(event.detail.item.promoCode, { S: request.body.promoCode });
}

/** The position of the insertion of a client's item in the stream of a table. */
async function positionOf(TableName: string, clientId: string): Promise<object> {
  const streams = new DynamoDBStreams({});
  const { Streams: [{ StreamArn } = {}] = [] } = await streams.listStreams({ TableName });
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const shard = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
    const { ShardIterator } = await streams.getShardIterator(shard);
    const { Records = [] } = await streams.getRecords({ ShardIterator });
    const record = Records.find(({ dynamodb }) => dynamodb?.Keys?.clientId?.S === clientId);
    const { SequenceNumber } = record?.dynamodb ?? {};
    if (!SequenceNumber) continue;
    assert.equal(record?.eventName, 'INSERT');
    return {
      ...{ streamArn: StreamArn, shardId: ShardId, batchSize: 1 },
      ...{ startSequenceNumber: SequenceNumber, endSequenceNumber: SequenceNumber },
      approximateArrivalOfFirstRecord: new Date().toISOString(),
    };
  }
  assert.fail(`the stream ${StreamArn} has no record of ${clientId}`);
}
