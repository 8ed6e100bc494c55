import assert from 'node:assert/strict';
import { IAM } from '@aws-sdk/client-iam';
import { SQS } from '@aws-sdk/client-sqs';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import type { Outputs } from '../../packages/deployment/outputs.ts';
import { SqsQueue } from '../../packages/on-call/promo-events/sqs-queue.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { command, type Deployment, newSubject, until } from './deployment.ts';
import { application, apply, promoEventsOf } from './requests.ts';

const POLICY = 'e2e-no-writes';
/**
 * The beginnings of the role names of the functions that write promo events. AWS cuts the names off
 * after 51 characters.
 */
const WRITERS = ['ApplyPromo', 'StoreQueued'];

/**
 * Revokes the functions' permission to write promo events. Checks that applications reach the table
 * through the queue and the dead-letter queue, and then that their user can be erased: from the
 * table, and from the queue.
 *
 * @throws AssertionError
 */
export async function expectNothingLost(deployment: Deployment): Promise<void> {
  const { PromoEventsQueueUrl: QueueUrl, PromoEventsDeadLetterQueueUrl } = deployment.outputs;
  const sqs = awsClient('sqs', SQS, {});
  const queue = new SqsQueue(sqs, QueueUrl);
  const deadLetterQueue = new SqsQueue(sqs, PromoEventsDeadLetterQueueUrl);

  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  const { clientId, userId } = subject;
  const promoEvents = () => promoEventsOf(deployment.outputs, subject);
  const [one, other] = [application(subject), application(subject)];
  const codes = async () => (await promoEvents()).map(({ promoCode }) => promoCode).sort();
  const sent = [one, other].map(({ body }) => body.promoCode).sort();

  // A message becomes a dead letter after one attempt. As deployed, it takes three hours.
  await attemptSoon(deployment.outputs, cleanup, 1);

  {
    await using denied = new Cleanup(deployment.print);
    await denyWrites(deployment, denied);
    for (const request of [one, other, one]) {
      const { notices } = await apply(subject, request);
      assert.equal(notices.length, 1, 'the app is not told that it is being processed');
    }
    await sqs.sendMessage({ QueueUrl, MessageBody: 'no promo event' });
    await until('4 dead letters', async () => (await deadLetterQueue.count()).waiting === 4);
    assert.deepEqual(await codes(), [], 'the table has an event');
    const { deadLetters } = JSON.parse(await command(deployment, 'queue', 'show', '--json'));
    assert.equal(deadLetters.count, 4, 'queue show counts otherwise');
  }

  await moveLetters(deployment.outputs);
  await until('all stored', async () => (await codes()).length >= sent.length);
  const untilEmpty = () =>
    until('an empty queue', async () => {
      const { waiting, inFlight } = await queue.count();
      return waiting + inFlight === 0;
    });
  await untilEmpty();
  assert.deepEqual(await codes(), sent, 'the table does not have each application once');
  assert.equal(
    (await deadLetterQueue.count()).waiting,
    1,
    'the message without a promo event is not back',
  );
  const [stored] = await promoEvents();
  const names = [clientId, '--user', userId];
  await command(deployment, 'user', 'erase', ...names, '--yes');
  assert.deepEqual(await codes(), [], 'the user is not erased');
  await sqs.sendMessage({ QueueUrl, MessageBody: JSON.stringify(stored) });
  await untilEmpty();
  assert.deepEqual(await codes(), [], 'an erased event is stored again');
  assert.equal((await deadLetterQueue.count()).waiting, 1, 'an erased event is a dead letter');
}

/** Lets the queue's consumer get messages again after two seconds, so many times at most. */
export async function attemptSoon(
  { PromoEventsQueueUrl: QueueUrl }: Outputs,
  cleanup: Cleanup,
  maxReceiveCount = 1000,
): Promise<void> {
  const sqs = awsClient('sqs', SQS, {});
  const AttributeNames = ['RedrivePolicy' as const, 'VisibilityTimeout' as const];
  const { Attributes = {} } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames });
  const { RedrivePolicy = '{}' } = Attributes;
  const changed = JSON.stringify({ ...JSON.parse(RedrivePolicy), maxReceiveCount });
  cleanup.willRemove('the attempts of the queue', async () => {
    await sqs.setQueueAttributes({ QueueUrl, Attributes });
  });
  const soon = { VisibilityTimeout: '2', RedrivePolicy: changed };
  await sqs.setQueueAttributes({ QueueUrl, Attributes: soon });
}

/** Moves the dead letters back to the queue. MiniStack has no tasks that move messages. */
export async function moveLetters(outputs: Outputs): Promise<void> {
  const { PromoEventsQueueUrl, PromoEventsDeadLetterQueueUrl } = outputs;
  const sqs = awsClient('sqs', SQS, {});
  for (const { body } of await new SqsQueue(sqs, PromoEventsDeadLetterQueueUrl).look(10)) {
    await sqs.sendMessage({ QueueUrl: PromoEventsQueueUrl, MessageBody: body });
  }
  await sqs.purgeQueue({ QueueUrl: PromoEventsDeadLetterQueueUrl });
}

/**
 * Denies the functions writes to a table.
 *
 * @param denied restores the permission when it is disposed of.
 */
export async function denyWrites(
  { stackName, outputs }: Deployment,
  denied: Cleanup,
): Promise<void> {
  const iam = awsClient('iam', IAM, {});
  const { Roles = [] } = await iam.listRoles({ MaxItems: 1000 });
  const names = Roles.map(({ RoleName = '' }) => RoleName).filter((name) =>
    WRITERS.some((writer) => name.startsWith(`${stackName}-${writer}`)),
  );
  assert.equal(names.length, 2, `expected one role per function, found: ${names}`);
  const Action = ['dynamodb:UpdateItem', 'dynamodb:PutItem'];
  const Resource = `arn:aws:dynamodb:*:*:table/${outputs.PromoEventsTableName}`;
  const Statement = [{ Effect: 'Deny', Action, Resource }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  for (const RoleName of names) {
    const policy = { RoleName, PolicyName: POLICY };
    denied.willRemove(`the policy ${POLICY} of ${RoleName}`, async () => {
      await iam.deleteRolePolicy(policy);
    });
    await iam.putRolePolicy({ ...policy, PolicyDocument });
  }
}
