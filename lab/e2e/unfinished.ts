import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SQS } from '@aws-sdk/client-sqs';
import { getConfig } from '../../functions/get-config/operation.ts';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import { call } from '../../packages/on-call/smoke/checks.ts';
import { Cleanup, type Subject } from '../../packages/on-call/smoke/subject.ts';
import { command, type Deployment, newSubject, until } from './deployment.ts';
import { attemptSoon, denyWrites, moveLetters } from './queue.ts';
import { application, apply, promoEventsOf } from './requests.ts';
import { expectStaysErased } from './restore.ts';

const PHONES = Array.from({ length: 20 }, (_, at) => `00000000-0000-4000-8000-${at + 1e11}`);

/**
 * Checks that a change of the deployment keeps what has begun before it: a promo code that waits in
 * the queue and a dead letter are stored once, a user who was erased stays erased, the history
 * stays, and each phone keeps its side of a rollout, which the commands then finish.
 *
 * @param change deploys another release or build, which uses the same tables and queues.
 * @throws AssertionError
 */
export async function expectContinued(
  deployment: Deployment,
  change: () => Promise<unknown>,
): Promise<void> {
  const { outputs, print } = deployment;
  const { PromoEventsDeadLetterQueueUrl: QueueUrl } = outputs;
  const sqs = awsClient('sqs', SQS, {});
  await using cleanup = new Cleanup(print);
  const subject = await newSubject(deployment, cleanup);
  const codes = async () =>
    (await promoEventsOf(outputs, subject)).map(({ promoCode }) => promoCode).sort();

  const erased = await newSubject(deployment, cleanup);
  await apply(erased, application(erased));
  const [forgotten = {}] = await promoEventsOf(outputs, erased);
  await command(deployment, 'user', 'erase', erased.clientId, '--user', erased.userId, '--yes');
  await startRollout(deployment, subject);
  const history = () => command(deployment, 'config', 'history', subject.clientId, '--json');
  await until('the version', async () => (await history()).includes('Another name'));
  const versions = await history();
  const sides = await sidesOf(subject);
  assert.equal(new Set(sides).size, 2, 'the rollout gives all phones the same');
  await attemptSoon(outputs, cleanup);
  const denied = cleanup.use(new Cleanup(print));
  await denyWrites(deployment, denied);
  const waiting = application(subject);
  const { notices } = await apply(subject, waiting);
  assert.equal(notices.length, 1, 'the app is not told that it is being processed');
  const { eventId: _, kind: __, codeIdentity: ___, ...event } = forgotten;
  const { clientId, userId } = subject;
  const letter = { ...event, clientId, userId, promoCode: 'LETTER' };
  await sqs.sendMessage({ QueueUrl, MessageBody: JSON.stringify(letter) });

  await change();
  assert.deepEqual(await sidesOf(subject), sides, 'the rollout gives phones something else');
  assert.equal(await history(), versions, 'the history has changed');
  assert.deepEqual(await codes(), [], 'a code is stored that should wait');
  const { deadLetters } = JSON.parse(await command(deployment, 'queue', 'show', '--json'));
  assert.equal(deadLetters.count, 1, 'queue show does not count the dead letter');
  await denied.disposeAsync();
  await moveLetters(outputs);
  const sent = [waiting.body.promoCode, letter.promoCode].sort();
  await until('both codes', async () => (await codes()).length >= sent.length);
  await expectStaysErased(deployment, await newSubject(deployment, cleanup), forgotten);
  assert.deepEqual(await codes(), sent, 'the table does not have each code once');
  await command(deployment, 'rollout', 'finish', clientId, '-m', 'All devices', '--yes');
}

/** Gives half of the phones another name of the first field. */
async function startRollout(deployment: Deployment, { clientId }: Subject): Promise<void> {
  const file = join(deployment.folder, `${clientId}.yaml`);
  await command(deployment, 'config', 'show', clientId, file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/fieldName: .*/, 'fieldName: Your company'));
  const options = ['--rollout', '50', '-m', 'Another name', '--yes'];
  await command(deployment, 'config', 'publish', file, ...options);
}

/** Returns the configuration that each phone gets. */
async function sidesOf(subject: Subject): Promise<string[]> {
  const sides: string[] = [];
  for (const id of PHONES) {
    const { status, body, text } = await call(subject, getConfig, { headers: { 'Device-Id': id } });
    assert.equal(status, 200, text);
    sides.push(JSON.stringify(body.data));
  }
  return sides;
}
