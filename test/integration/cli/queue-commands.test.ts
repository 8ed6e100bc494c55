import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { noWrites } from '../../support/fault-proxy.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { run } from '../../support/processes.ts';
import { PROMO_REQUEST, type Service } from '../../support/service.ts';

/*
 * The commands as operators run them, on a service whose table refuses writes. They wait for queues, so the tests run at
 * the same time, each with a service of its own.
 */

const WAIT = { timeout: 100_000, interval: 50 };

/** A message that failed once goes to the dead-letter queue. */
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 1 };

const start = () => startFaultyService({ queue: QUEUE });

const redrive = ({ outputsFile }: Service, ...args: string[]) =>
  run('redrive', ['--outputs', outputsFile, ...args]);

const eraseUser = ({ outputsFile }: Service, user: string) =>
  run('erase-user', ['--outputs', outputsFile, '--client', 'demo', '--user', user]);

const apply = (service: Service, userId: string, promoCode: string) =>
  service.applyPromoCode({
    token: { user: userId },
    body: { ...PROMO_REQUEST, userId, promoCode },
  });

const sendTo = ({ sqs }: Service, QueueUrl: string, MessageBody: string) =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

const isDeadLetterQueueAt = (service: Service, count: number) =>
  vi.waitUntil(async () => (await service.messages()).deadLetterQueue === count, WAIT);
const isQueueEmpty = (service: Service) =>
  vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);

describe.concurrent('npm run redrive', () => {
  test('says that the dead-letter queue is empty', async () => {
    await using service = await start();
    const { code, stdout } = await redrive(service);
    expect(stdout).toBe(
      'The dead-letter queue is empty.\nIn the queue, waiting to be stored: about 0.\n',
    );
    expect(code).toBe(0);
  });

  test('shows the dead-letter queue and leaves it; with --move its events are stored', async () => {
    await using service = await start();
    service.toDynamoDb.faultOf = noWrites;
    await Promise.all(
      Array.from({ length: 12 }, (_, user) => apply(service, `user-${user}`, 'CODE')),
    );
    await sendTo(service, service.outputs.PromoEventsDeadLetterQueueUrl, '{"promoCode":1}');
    await isDeadLetterQueueAt(service, 13);

    for (const _ of ['once', 'and again']) {
      const { stdout } = await redrive(service);
      expect(stdout).toContain('Promo events in the dead-letter queue: 12');
      expect(stdout).toMatch(/^ +12 {2}demo, received \d{4}-\S+Z to \d{4}-\S+Z$/m);
      expect(stdout).toMatch(/^Message \S+ holds no promo event and stays there: /m);
      expect(stdout).toContain('--move');
      for (const line of stdout.split('\n')) expect(line).not.toContain('user-');
    }

    service.toDynamoDb.faultOf = () => undefined;
    const { code, stdout } = await redrive(service, '--move');
    expect(stdout).toContain('Promo events moved back from the dead-letter queue: 12');
    expect(code).toBe(0);
    await isQueueEmpty(service);
    expect(await service.promoEvents()).toHaveLength(12);
    // The message that holds none can be received at once.
    const { Messages } = await service.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl }),
    );
    expect(Messages).toHaveLength(1);
  });
});

describe.concurrent('npm run erase-user', () => {
  test('removes what is stored about one user, and nothing else', async () => {
    await using service = await start();
    for (const user of ['jane', 'jane#1', 'janet']) {
      await apply(service, user, 'A');
      await apply(service, user, 'B');
      await apply(service, user, 'B');
    }
    const { code, stdout } = await eraseUser(service, 'jane');
    expect(stdout).toBe(
      [
        'Removed from the queue: 0',
        'Removed from the dead-letter queue: 0',
        'Removed from the table: 3',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
    const left = (await service.promoEvents()).map(({ userId }) => userId);
    expect(left.sort()).toEqual(['jane#1', 'jane#1', 'jane#1', 'janet', 'janet', 'janet']);
    // That user can come back.
    expect((await apply(service, 'jane', 'A')).body.data.message).toBe(
      'The promo code was applied.',
    );
  });

  test('also what waits in the queues; the others stay, and are stored', async () => {
    await using service = await start();
    service.toDynamoDb.faultOf = noWrites;
    for (const user of ['jane', 'joe']) await apply(service, user, 'A');
    await sendTo(service, service.outputs.PromoEventsDeadLetterQueueUrl, 'not JSON');
    await isDeadLetterQueueAt(service, 3);
    const { code, stdout } = await eraseUser(service, 'jane');
    expect(stdout).toContain('Removed from the dead-letter queue: 1\n');
    expect(stdout).toContain('Messages without a promo event, left in the queues: 1\n');
    expect(code).toBe(0);
    service.toDynamoDb.faultOf = () => undefined;
    await redrive(service, '--move');
    await isQueueEmpty(service);
    expect((await service.promoEvents()).map(({ userId }) => userId)).toEqual(['joe']);
  });
});
