import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test, vi } from 'vitest';
import { customerData } from '../support/command-line.ts';
import { run } from '../support/processes.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/*
 * The commands as operators run them, on a service that stores the events of its queue. They wait for queues, so the
 * tests run concurrently, each with its own service.
 */

const WAIT = { timeout: 100_000, interval: 50 };

const queue = ({ outputsFile }: Service, command: 'show' | 'redrive', ...args: string[]) =>
  run('customer-data', ['queue', command, '--outputs', outputsFile, ...args]);

const eraseUser = ({ outputsFile }: Service, user: string, ...args: string[]) =>
  customerData([
    'user',
    'erase',
    '--outputs',
    outputsFile,
    '--client',
    'demo',
    '--user',
    user,
    ...args,
  ]);

const apply = (service: Service, userId: string, promoCode: string) =>
  service.applyPromoCode({
    token: { user: userId },
    body: { ...PROMO_REQUEST, userId, promoCode },
  });

/** Puts a message into the dead-letter queue, as SQS does when a message has failed too often. */
const addDeadLetter = ({ sqs, outputs }: Service, message: object | string) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: outputs.PromoEventsDeadLetterQueueUrl,
      MessageBody: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  );

const event = (userId: string, promoCode: string) => ({
  ...PROMO_REQUEST,
  userId,
  promoCode,
  deviceId: 'device',
  requestDate: '2026-07-20T10:00:00.000Z',
  receivedAt: '2026-07-20T10:00:01.000Z',
});

const isQueueEmpty = (service: Service) =>
  vi.waitUntil(async () => (await service.messages()).queue === 0, WAIT);

describe.concurrent('customer-data queue', () => {
  test('reports that the dead-letter queue is empty', async () => {
    await using service = await startService();
    expect(await queue(service, 'show')).toEqual({
      code: 0,
      stdout: 'In the queue, waiting to be stored: about 0.\n',
      stderr: 'The dead-letter queue is empty.\n',
    });
    const { stdout } = await customerData([
      ...['queue', 'show', '--json', '--outputs', service.outputsFile],
    ]);
    expect(stdout).toBe(
      '{"deadLetters":{"promoEvents":[],"others":[],"unread":0},"queue":{"waiting":0}}\n',
    );
  });

  test('shows the dead-letter queue without changing it; after a redrive its events are stored', async () => {
    await using service = await startService();
    for (let user = 0; user < 12; user++) {
      await addDeadLetter(service, event(`user-${user}`, 'CODE'));
    }
    await addDeadLetter(service, { promoCode: 1 });

    for (const _ of ['once', 'and again']) {
      const { stdout } = await queue(service, 'show');
      expect(stdout).toContain('Promo events in the dead-letter queue: 12');
      expect(stdout).toMatch(/^ +12 {2}demo, received \d{4}-\S+Z to \d{4}-\S+Z$/m);
      expect(stdout).toMatch(/^Message \S+ is not a promo event and stays there: /m);
      for (const line of stdout.split('\n')) expect(line).not.toContain('user-');
    }

    const shown = await queue(service, 'redrive', '--dry-run', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      deadLetters: { promoEvents: [{ clientId: 'demo', count: 12 }], others: [{}], unread: 0 },
      queue: { waiting: 0 },
    });
    const { code, stdout, stderr } = await queue(service, 'redrive', '--yes');
    expect(stdout).toContain('Promo events moved back from the dead-letter queue: 12');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await isQueueEmpty(service);
    expect(await service.promoEvents()).toHaveLength(12);
    // The message without a promo event can be received at once.
    const { Messages } = await service.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl }),
    );
    expect(Messages).toHaveLength(1);
  });
});

describe.concurrent('customer-data user erase', () => {
  test('removes the events of one user, and nothing else', async () => {
    await using service = await startService();
    for (const user of ['jane', 'jane#1', 'janet']) {
      await apply(service, user, 'A');
      await apply(service, user, 'B');
      await apply(service, user, 'B');
    }
    const asked = await eraseUser(service, 'jane');
    expect(asked).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Nothing was changed: there is no terminal to ask at. Add --yes to confirm without being asked.\n',
    });
    const shown = await eraseUser(service, 'jane', '--dry-run');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/ {2}in the table: 3\n$/);
    const asJson = await eraseUser(service, 'jane', '--dry-run', '--json');
    const user = { clientId: 'demo', userId: 'jane' };
    const complete = { unsearched: { queue: 0, deadLetterQueue: 0 }, busDeadLetters: 0 };
    expect(JSON.parse(asJson.stdout)).toEqual({
      ...{ ...user, ...complete, unreadable: 0 },
      found: { queue: 0, deadLetterQueue: 0, table: 3 },
    });
    expect(await service.promoEvents()).toHaveLength(9);

    const { code, stdout, stderr } = await eraseUser(service, 'jane', '--yes');
    // What was found is what a person is asked about. The result is what was removed.
    expect(stderr).toBe(shown.stdout);
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
    // The user can apply the code again.
    expect((await apply(service, 'jane', 'A')).body.data.message).toBe(
      'The promo code was applied.',
    );
  });

  test('removes the events of the user from the queues; the others stay, and are stored', async () => {
    await using service = await startService();
    for (const user of ['jane', 'joe']) await addDeadLetter(service, event(user, 'A'));
    await addDeadLetter(service, 'not JSON');
    const { code, stdout, stderr } = await eraseUser(service, 'jane', '--yes', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ...{ clientId: 'demo', userId: 'jane', unreadable: 1, busDeadLetters: 0 },
      removed: { queue: 0, deadLetterQueue: 1, table: 0 },
      unsearched: { queue: 0, deadLetterQueue: 0 },
    });
    expect(stderr).toContain('Messages without a promo event, left in the queues: 1\n');
    expect(code).toBe(0);
    const moved = await queue(service, 'redrive', '--yes', '--json');
    expect(JSON.parse(moved.stdout)).toMatchObject({
      moved: [{ clientId: 'demo', count: 1 }],
      deadLetters: { others: [{}], unread: 0 },
    });
    await isQueueEmpty(service);
    expect((await service.promoEvents()).map(({ userId }) => userId)).toEqual(['joe']);
  });

  test('says of a user of whom nothing is stored that all places were searched, and succeeds', async () => {
    await using service = await startService();
    const { code, stdout, stderr } = await eraseUser(service, 'nobody', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      'Nothing is stored about nobody. All places were searched: table, queue, dead letters.\n',
    );
    // Two lines on a terminal of 80 columns.
    const args = ['user', 'erase', '--client', 'demo', '--user', 'nobody', '--dry-run'];
    const shown = await customerData([...args, '--outputs', service.outputsFile], {
      isTerminal: true,
    });
    expect(shown.stdout.split('\n').map((line) => line.length <= 80)).toEqual([true, true, true]);
  });
});
