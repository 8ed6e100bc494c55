import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { IAM } from '@aws-sdk/client-iam';
import {
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { sqsClient } from '../../cli/aws-clients.ts';
import { Messages } from '../../cli/queue-messages.ts';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { createClient } from '../../cli/smoke/client.ts';
import { application, apply, expectSuccess, type Subject } from '../../cli/smoke/requests.ts';
import { createUser } from '../../cli/smoke/user.ts';
import type { Deployment } from './deployment.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const WAIT_MS = 60_000;
const POLL_MS = 200;
const POLICY = 'e2e-no-writes';
/** The beginnings of the role names of the functions that write promo events. AWS cuts the names off after 51 characters. */
const WRITERS = ['ApplyPromo', 'StoreQueued'];

/**
 * Revokes the functions' permission to write promo events. Checks that applications reach the table through the
 * queue, the dead-letter queue and the redrive, and then that their user can be erased.
 *
 * @throws AssertionError
 */
export async function expectNothingLost(deployment: Deployment): Promise<void> {
  const { outputs, outputsFile, url, print } = deployment;
  const sqs = sqsClient(outputs);
  const queue = new Messages(sqs, outputs.PromoEventsQueueUrl);
  const deadLetters = new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl);
  const command = async (
    name: 'queue show' | 'queue redrive' | 'user erase',
    ...args: string[]
  ) => {
    const all = ['bin/customer-data.ts', ...name.split(' '), '--outputs', outputsFile, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: PROJECT });
    print(`$ customer-data ${all.slice(1).join(' ')}\n${stdout.trimEnd()}`);
    return stdout;
  };

  await using cleanup = new Cleanup(print);
  const user = await createUser(outputs, outputsFile, cleanup);
  const client = await createClient(outputs, cleanup);
  const subject: Subject = { url, user, client, isUserBound: true };
  const [one, other] = [application(subject), application(subject)];
  const codes = async () => (await client.promoEvents()).map(({ promoCode }) => promoCode).sort();
  const sent = [one, other].map(({ body }) => body.promoCode).sort();
  await giveUpSoon(deployment);

  {
    await using denied = new Cleanup(print);
    await denyWrites(deployment, denied);
    for (const request of [one, other, one]) {
      const answer = await apply(subject, request);
      expectSuccess(answer);
      assert.equal(answer.body.notices.length, 1, 'the app is not told that it is being processed');
    }
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: outputs.PromoEventsQueueUrl,
        Entries: [{ Id: '0', MessageBody: 'no promo event' }],
      }),
    );
    await until('4 dead letters', async () => (await deadLetters.count()).waiting === 4);
    assert.deepEqual(await codes(), [], 'the table has an event');
    assert.match(await command('queue show'), /in the dead-letter queue: 3\n/);
  }

  assert.match(
    await command('queue redrive', '--yes'),
    /moved back from the dead-letter queue: 3\n/,
  );
  await until('all stored', async () => (await codes()).length >= sent.length);
  await until('an empty queue', async () => {
    const { waiting, inFlight } = await queue.count();
    return waiting + inFlight === 0;
  });
  assert.deepEqual(await codes(), sent, 'the table does not have each application once');
  assert.equal((await deadLetters.count()).waiting, 1, 'the message without a promo event is gone');
  await command('user erase', '--client', client.clientId, '--user', user.userId, '--yes');
  assert.deepEqual(await codes(), [], 'the user is not erased');
}

/** Moves messages to the dead-letter queue after one attempt. As deployed, it takes three hours. */
async function giveUpSoon({ outputs }: Deployment): Promise<void> {
  const sqs = sqsClient(outputs);
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: outputs.PromoEventsQueueUrl,
      AttributeNames: ['RedrivePolicy'],
    }),
  );
  const policy = { ...JSON.parse(Attributes.RedrivePolicy ?? ''), maxReceiveCount: 1 };
  await sqs.send(
    new SetQueueAttributesCommand({
      QueueUrl: outputs.PromoEventsQueueUrl,
      Attributes: { VisibilityTimeout: '2', RedrivePolicy: JSON.stringify(policy) },
    }),
  );
}

/** @param denied restores the permission when it is disposed of. */
async function denyWrites({ stackName }: Deployment, denied: Cleanup): Promise<void> {
  const iam = new IAM({});
  const { Roles = [] } = await iam.listRoles({ MaxItems: 1000 });
  const names = Roles.map(({ RoleName = '' }) => RoleName).filter((name) =>
    WRITERS.some((writer) => name.startsWith(`${stackName}-${writer}`)),
  );
  assert.equal(names.length, 2, `expected one role per function, found: ${names}`);
  for (const RoleName of names) {
    denied.willRemove(`the policy ${POLICY} of ${RoleName}`, async () => {
      await iam.deleteRolePolicy({ RoleName, PolicyName: POLICY });
    });
    await iam.putRolePolicy({
      RoleName,
      PolicyName: POLICY,
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Deny', Action: ['dynamodb:UpdateItem', 'dynamodb:PutItem'], Resource: '*' },
        ],
      }),
    });
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `timed out waiting for ${what}`);
    await setTimeout(POLL_MS);
  }
}
