import { execFile } from 'node:child_process';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { close } from '../../../local/listen.ts';
import { FaultProxy, noWrites } from '../../support/fault-proxy.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/* The commands as operators run them, on a service whose table refuses writes. */

let toDynamoDb: FaultProxy;
let service: Service;
beforeEach(async () => {
  toDynamoDb = await FaultProxy.start();
  service = await startService(
    { AWS_ENDPOINT_URL_DYNAMODB: toDynamoDb.url },
    { visibilityTimeoutSeconds: 1, maxReceiveCount: 1 },
  );
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
});
afterEach(async () => {
  await service.stop();
  await close(toDynamoDb.server);
});

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: 'redrive' | 'erase-user', ...args: string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`bin/${command}.ts`, '--outputs', service.outputsFile, ...args],
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const apply = (userId: string, promoCode: string, others: Record<string, unknown> = {}) =>
  service.applyPromoCode({
    token: { user: userId },
    body: { ...PROMO_REQUEST, userId, promoCode, ...others },
  });

const deadLetters = (count: number) =>
  vi.waitUntil(async () => (await service.messages()).deadLetterQueue === count, 20_000);

const sendTo = (QueueUrl: string, MessageBody: string) =>
  service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

describe('npm run redrive', () => {
  test('says that the dead-letter queue is empty', async () => {
    const { code, stdout } = await run('redrive');
    expect(stdout).toBe(
      'The dead-letter queue is empty.\nIn the queue, waiting to be stored: about 0.\n',
    );
    expect(code).toBe(0);
  });

  test('shows the dead-letter queue and leaves it; with --move its events are stored', async () => {
    toDynamoDb.faultOf = noWrites;
    for (let user = 0; user < 12; user++) await apply(`user-${user}`, 'CODE');
    await sendTo(service.outputs.PromoEventsDeadLetterQueueUrl, '{"promoCode":1}');
    await deadLetters(13);

    for (const _ of ['once', 'and again']) {
      const { stdout } = await run('redrive');
      expect(stdout).toContain('Promo events in the dead-letter queue: 12');
      expect(stdout).toMatch(/^ +12 {2}demo, received \d{4}-\S+Z to \d{4}-\S+Z$/m);
      expect(stdout).toMatch(/^Message \S+ holds no promo event and stays there: /m);
      expect(stdout).toContain('--move');
      for (const line of stdout.split('\n')) expect(line).not.toContain('user-');
    }

    toDynamoDb.faultOf = () => undefined;
    const { code, stdout } = await run('redrive', '--move');
    expect(stdout).toContain('Promo events moved back from the dead-letter queue: 12');
    expect(code).toBe(0);
    await vi.waitUntil(async () => (await service.promoEvents()).length === 12, 10_000);
    await vi.waitUntil(async () => (await service.messages()).queue === 0, 10_000);
    // The message that holds none can be received at once.
    const { Messages } = await service.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl }),
    );
    expect(Messages).toHaveLength(1);
  }, 60_000);
});

describe('npm run erase-user', () => {
  const eraseUser = (user: string) => run('erase-user', '--client', 'demo', '--user', user);

  test('removes what is stored about one user, and nothing else', async () => {
    for (const user of ['jane', 'jane#1', 'janet']) {
      await apply(user, 'A');
      await apply(user, 'B');
      await apply(user, 'B');
    }
    const { code, stdout } = await eraseUser('jane');
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
    expect((await apply('jane', 'A')).body.data.message).toBe('The promo code was applied.');
  });

  test('also what waits in the queues; the others stay, and are stored', async () => {
    toDynamoDb.faultOf = noWrites;
    for (const user of ['jane', 'joe']) await apply(user, 'A');
    await sendTo(service.outputs.PromoEventsDeadLetterQueueUrl, 'not JSON');
    await deadLetters(3);
    const { code, stdout } = await eraseUser('jane');
    expect(stdout).toContain('Removed from the dead-letter queue: 1\n');
    expect(stdout).toContain('Messages without a promo event, left in the queues: 1\n');
    expect(code).toBe(0);
    toDynamoDb.faultOf = () => undefined;
    await run('redrive', '--move');
    await vi.waitUntil(async () => (await service.promoEvents()).length > 0, 10_000);
    await vi.waitUntil(async () => (await service.messages()).queue === 0, 10_000);
    expect((await service.promoEvents()).map(({ userId }) => userId)).toEqual(['joe']);
  }, 60_000);
});
