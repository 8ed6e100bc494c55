import { setTimeout } from 'node:timers/promises';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RedriveOptions, redrive } from '../../../cli/queue/redrive.ts';
import { replay } from '../../../cli/queue/replay.ts';
import { eventOf } from '../../support/promo-event.ts';
import { type Harness, type QueueCall, startHarness } from '../../support/queue-harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

test.each(['redrive', 'replay'])(
  '%s receives messages from all servers of SQS, for two minutes',
  async (command) => {
    await harness.send('dead-letters', ...EVENTS.slice(0, 3));
    if (command === 'redrive') await run({ move: true });
    else {
      const PromoEventsBusDeadLetterQueueUrl = harness.outputs.PromoEventsDeadLetterQueueUrl;
      const silent = { print: () => {}, note: () => {} };
      await replay(
        { ...harness.outputs, PromoEventsBusDeadLetterQueueUrl },
        { publish: false, ...silent },
      );
    }
    expect(harness.receives.length).toBeGreaterThan(1);
    for (const request of harness.receives) {
      expect(request).toMatchObject({ WaitTimeSeconds: 1, VisibilityTimeout: 120 });
      expect(request).toMatchObject({ MaxNumberOfMessages: 10 });
    }
  },
);

async function run(options: Omit<RedriveOptions, 'print' | 'note'>) {
  const printed: string[] = [];
  const error = await redrive(harness.outputs, {
    ...options,
    print: (line) => printed.push(line),
    note: (line) => printed.push(line),
  }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, error };
}

const EVENTS = Array.from({ length: 25 }, (_, index) => eventOf(`user-${index}`));
const BODIES = EVENTS.map((event) => JSON.stringify(event)).sort();
const FOREIGN = '{"some":"thing"}';
const QUEUED = /^In the queue, waiting to be stored: about (\d+)\.$/;

/** The messages of both queues; a message that is in both appears twice. */
const everything = async () => [
  ...(await harness.drain('queue')),
  ...(await harness.drain('dead-letters')),
];

describe('queue show', () => {
  test('an empty queue is reported as empty', async () => {
    await harness.send('queue', ...EVENTS.slice(0, 3));
    expect((await run({ move: false })).printed).toEqual([
      'The dead-letter queue is empty.',
      'In the queue, waiting to be stored: about 3.',
    ]);
  });

  test('a queue whose messages somebody else has in flight is not reported as empty', async () => {
    await harness.send('dead-letters', eventOf('jane'));
    await harness.hold('dead-letters', 600);
    for (const move of [false, true]) {
      expect((await run({ move })).printed.slice(0, 2)).toEqual([
        '1 dead letter is in flight elsewhere. Look again in ten minutes.',
        'About 1 more messages were not read.',
      ]);
      const { printed } = await run({ move, json: true });
      expect(JSON.parse(printed.at(-1) ?? '').deadLetters.unread).toBe(1);
    }
  });

  test('the events are listed by client with the times of the first and the last, and stay', async () => {
    await harness.send(
      'dead-letters',
      eventOf('jane', { receivedAt: '2026-11-20T11:00:00.000Z' }),
      eventOf('jane', { receivedAt: '2026-11-20T09:00:00.000Z' }),
      eventOf('jane', { receivedAt: '2026-11-20T10:00:00.000Z' }),
      eventOf('joe', { clientId: 'acme', receivedAt: '2026-11-20T12:00:00.000Z' }),
      FOREIGN,
    );
    const { printed, error } = await run({ move: false });
    expect(error).toBeUndefined();
    expect(printed[0]).toBe('Promo events in the dead-letter queue: 4');
    expect(printed.slice(1, 3).sort()).toEqual([
      '       1  acme, received 2026-11-20T12:00:00.000Z to 2026-11-20T12:00:00.000Z',
      '       3  demo, received 2026-11-20T09:00:00.000Z to 2026-11-20T11:00:00.000Z',
    ]);
    expect(printed[3]).toMatch(/^Message \S+ is not a promo event and stays there: \S/);
    expect(printed.slice(4)).toEqual(['In the queue, waiting to be stored: about 0.']);
    expect(await harness.drain('queue')).toEqual([]);
    expect(await harness.drain('dead-letters')).toHaveLength(5);
    expect(harness.log.join('\n')).not.toMatch(/^(send|delete)/m);
  });

  test('a long queue is read in part, and every message can be received again', async () => {
    await harness.send('dead-letters', ...EVENTS.slice(0, 20), ...EVENTS, ...EVENTS, ...EVENTS);
    const { printed } = await run({ move: false, maxStaying: 5 });
    const [, shown] = /^Promo events in the dead-letter queue: (\d+)$/.exec(printed[0] ?? '') ?? [];
    // Each of eight workers may have one batch of ten.
    expect(Number(shown)).toBeGreaterThanOrEqual(5);
    expect(Number(shown)).toBeLessThanOrEqual(80);
    expect(printed).toContain(`About ${95 - Number(shown)} more messages were not read.`);
    expect(await harness.drain('dead-letters')).toHaveLength(95);
  });

  test('as JSON, what was not read and what waits to be stored are told apart', async () => {
    await harness.send('dead-letters', ...EVENTS, ...EVENTS, ...EVENTS, ...EVENTS);
    await harness.send('queue', ...EVENTS.slice(0, 3));
    const { printed } = await run({ move: false, maxStaying: 5, json: true });
    const [{ deadLetters, queue }] = printed.map((line) => JSON.parse(line));
    const [{ count }] = deadLetters.promoEvents;
    expect(deadLetters.unread).toBe(100 - count);
    expect(queue).toEqual({ waiting: 3 });
  });

  test('a queue that was read completely is not reported as longer', async () => {
    await harness.send('dead-letters', ...EVENTS);
    const { printed } = await run({ move: false });
    expect(printed.join('\n')).not.toContain('were not read');
  });
});

describe('a message that a long run receives again after the visibility timeout', () => {
  /** The message returns twice. */
  async function runLong(body: string, options: Omit<RedriveOptions, 'print' | 'note'>) {
    let times = 0;
    harness.before = async ({ operation }) => {
      if (operation === 'receive' && times < 3) times = await harness.expire(body);
    };
    const result = await run(options);
    expect(times).toBe(3);
    return result;
  }

  test.each([true, false])(
    'is listed and counted once, and can be received again at once (moves: %s)',
    async (move) => {
      await harness.send('dead-letters', FOREIGN);
      const { printed, error } = await runLong(FOREIGN, { move, maxStaying: 2 });
      expect(error).toBeUndefined();
      expect(printed.filter((line) => line.includes('is not a promo event'))).toHaveLength(1);
      expect(printed.join('\n')).not.toContain('were not read');
      expect(await harness.drain('dead-letters')).toEqual([FOREIGN]);
    },
  );

  test('counts as one event', async () => {
    const body = BODIES[0] as string;
    await harness.send('dead-letters', body);
    const { printed } = await runLong(body, { move: false });
    expect(printed[0]).toBe('Promo events in the dead-letter queue: 1');
  });

  test('is not listed as staying if SQS deletes it at the second try', async () => {
    await harness.send('dead-letters', FOREIGN);
    const { printed: before } = await run({ move: false });
    const id = /^Message (\S+)/.exec(before[1] ?? '')?.[1] ?? '';
    let deletions = 0;
    harness.refuses = ({ operation }) => operation === 'delete' && deletions++ === 0;
    harness.before = async ({ operation }) => {
      if (operation === 'receive') await harness.expire(FOREIGN);
    };
    const { printed } = await run({ move: false, remove: [id] });
    expect(printed).toContain(`Removed message ${id}.`);
    expect(printed.join('\n')).not.toContain('stays there');
  });
});

test('a run that is interrupted ends after its batches, and everything can be received again', async () => {
  await harness.send('dead-letters', ...EVENTS, ...EVENTS, ...EVENTS, ...EVENTS, FOREIGN);
  const interrupted = new AbortController();
  harness.before = async ({ operation }) => {
    if (operation === 'send') interrupted.abort();
  };
  const { error } = await run({ move: true, signal: interrupted.signal });
  expect(error?.message).toBe('Interrupted. Nothing is lost: run it again.');
  expect(error?.constructor.name).toBe('CommandError');
  const left = await harness.drain('dead-letters');
  // Each of eight workers ends its batch of ten.
  expect(left.length).toBeGreaterThanOrEqual(101 - 80);
  expect(left.length + (await harness.drain('queue')).length).toBe(101);
});

describe('messages that are not promo events', () => {
  const idOf = async (body: string) => {
    const { printed } = await run({ move: false, inspect: true });
    const line = printed[printed.indexOf(`  ${JSON.stringify(body)}`) - 1];
    return /^Message (\S+) is not a promo event/.exec(line ?? '')?.[1] ?? '';
  };

  test('are shown with their content on request only, as JSON', async () => {
    await harness.send('dead-letters', FOREIGN, 'two\nlines');
    const shown = await run({ move: false, inspect: true });
    expect(shown.printed).toContain(`  ${JSON.stringify(FOREIGN)}`);
    expect(shown.printed).toContain('  "two\\nlines"');
    const { printed } = await run({ move: false });
    expect(printed.join()).not.toContain('some');
  });

  test('are shown up to 4,000 characters', async () => {
    await harness.send('dead-letters', 'x'.repeat(5000));
    const { printed } = await run({ move: false, inspect: true });
    expect(printed).toContain(`  "${'x'.repeat(4000)}"`);
  });

  test('are removed if they are named, and nothing else is', async () => {
    await harness.send('dead-letters', 'first', ...EVENTS.slice(0, 12), 'second', 'third');
    const [first, third] = [await idOf('first'), await idOf('third')];
    const { printed, error } = await run({ move: false, remove: [third, first] });
    expect(error).toBeUndefined();
    expect(printed.filter((line) => line.startsWith('Removed')).sort()).toEqual(
      [`Removed message ${first}.`, `Removed message ${third}.`].sort(),
    );
    expect(printed.filter((line) => line.includes('stays there'))).toHaveLength(1);
    expect(await harness.drain('dead-letters')).toEqual(
      [...EVENTS.slice(0, 12).map((event) => JSON.stringify(event)), 'second'].sort(),
    );
  });

  test('a promo event is not removed, even if it is named; nor is one that SQS refuses', async () => {
    const { sqs, outputs, send } = harness;
    await send('dead-letters', ...EVENTS.slice(0, 1), FOREIGN);
    const foreign = await idOf(FOREIGN);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: outputs.PromoEventsDeadLetterQueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      }),
    );
    const ids = Messages.map(({ MessageId = '' }) => MessageId);
    const event = ids.find((id) => id !== foreign) ?? '';
    harness.refuses = ({ operation }) => operation === 'delete';
    expect((await run({ move: false, remove: [foreign] })).error?.message).toContain('refused 1');
    harness.refuses = () => false;
    const { error } = await run({ move: false, remove: [event, foreign, 'unknown'] });
    expect(error?.message).toBe(
      `Not removed, because they are promo events or are not in the dead-letter queue: ${event}, unknown`,
    );
    expect(await harness.drain('dead-letters')).toEqual([BODIES[0]]);
  });
});

describe('queue redrive', () => {
  test('each event is sent once, before it is deleted; messages without one stay', async () => {
    await harness.send('dead-letters', ...EVENTS, FOREIGN);
    const { printed, error } = await run({ move: true });
    expect(error).toBeUndefined();
    expect(printed[0]).toBe('Promo events moved back from the dead-letter queue: 25');
    expect(printed[2]).toMatch(/^Message \S+ is not a promo event and stays there: \S/);
    expect(printed.at(-1)).toBe('In the queue, waiting to be stored: about 25.');
    for (const body of BODIES) {
      const [sent, deleted] = [`send queue ${body}`, `delete dead-letters ${body}`];
      expect(harness.log.filter((line) => line.includes(body))).toEqual([sent, deleted]);
    }
    expect(await harness.drain('queue')).toEqual(BODIES);
    // It can be received at once.
    expect(await harness.drain('dead-letters')).toEqual([FOREIGN]);
  });

  test('reports its progress', async () => {
    await harness.send('dead-letters', ...EVENTS);
    const progress: number[] = [];
    const show = (done: number) => void progress.push(done);
    await run({ move: true, progress: () => ({ show, [Symbol.dispose]: () => {} }) });
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    expect(progress.at(-1)).toBe(25);
  });

  test('several batches are processed at a time', async () => {
    await harness.send('dead-letters', ...EVENTS, ...EVENTS, ...EVENTS, ...EVENTS);
    const eighth = Promise.withResolvers<void>();
    let atOnce = 0;
    harness.before = async ({ operation }) => {
      if (operation !== 'send') return;
      if (++atOnce === 8) setTimeout(100).then(eighth.resolve);
      await eighth.promise;
    };
    const running = run({ move: true });
    await eighth.promise;
    expect(atOnce).toBe(8);
    await running;
  });

  test('messages that a function is storing count as waiting to be stored', async () => {
    await harness.send('queue', ...EVENTS.slice(0, 3));
    await harness.hold('queue', 600);
    expect((await run({ move: true })).printed.at(-1)).toBe(
      'In the queue, waiting to be stored: about 3.',
    );
  });

  test('an empty queue moves nothing', async () => {
    expect((await run({ move: true })).printed[0]).toBe('Nothing was moved.');
  });

  const isThird = (body: string) => BODIES.indexOf(body) % 3 === 0;

  test('events that SQS refuses stay in the dead-letter queue; the others are moved', async () => {
    await harness.send('dead-letters', ...EVENTS);
    harness.refuses = ({ operation }, body) => operation === 'send' && isThird(body);
    const { printed, error } = await run({ move: true });
    expect(error?.message).toBe(
      'SQS refused 9 messages. InternalError: Try again. Nothing is lost: run it again.',
    );
    expect(error?.constructor.name).toBe('CommandError');
    expect(printed[0]).toBe('Promo events moved back from the dead-letter queue: 16');
    expect(await harness.drain('queue')).toEqual(BODIES.filter((body) => !isThird(body)));
    expect(await harness.drain('dead-letters')).toEqual(BODIES.filter(isThird));
  });

  test('events that SQS does not delete are reported, and can be received again', async () => {
    await harness.send('dead-letters', ...EVENTS);
    harness.refuses = ({ operation }, body) => operation === 'delete' && isThird(body);
    const { printed, error } = await run({ move: true });
    expect(error?.message).toContain('SQS refused 9 messages.');
    expect(printed[0]).toBe('Promo events moved back from the dead-letter queue: 16');
    expect(await harness.drain('queue')).toEqual(BODIES);
    expect(await harness.drain('dead-letters')).toEqual(BODIES.filter(isThird));
  });

  test.each<QueueCall>([
    { operation: 'receive', queue: 'dead-letters' },
    { operation: 'send', queue: 'queue' },
    { operation: 'delete', queue: 'dead-letters' },
    { operation: 'release', queue: 'dead-letters' },
    { operation: 'count', queue: 'queue' },
  ])('nothing is lost when a call fails: %o', async ({ operation, queue }) => {
    await harness.send('dead-letters', ...EVENTS, FOREIGN);
    let calls = 0;
    harness.fails = (call) =>
      call.operation === operation &&
      call.queue === queue &&
      (operation !== 'send' && operation !== 'receive' ? true : calls++ > 0);
    const { error } = await run({ move: true });
    // The moves were complete, and the remaining messages return without being released.
    if (operation === 'release') expect(error).toBeUndefined();
    else expect(error?.name).toContain('AccessDenied');
    harness.fails = () => false;
    const left = new Set(await everything());
    // A message in flight returns in two minutes: only a failed release leaves one.
    expect([...left].sort()).toEqual(
      operation === 'release' ? BODIES : [FOREIGN, ...BODIES].sort(),
    );
    expect(harness.log.some((line) => line.startsWith(`failed ${operation}`))).toBe(true);
  });

  test.each<[QueueCall['operation'], boolean]>([
    ['count', true],
    ['count', false],
    ['receive', true],
    ['receive', false],
  ])('what was moved before a failed call (%s) is said, as JSON: %s', async (operation, json) => {
    await harness.send('dead-letters', ...EVENTS);
    let moved = 0;
    harness.before = async (call) => {
      if (call.operation === 'delete') moved++;
    };
    harness.fails = (call) => call.operation === operation && moved > 0;
    const { printed, error } = await run({ move: true, json });
    expect(error?.name).toContain('AccessDenied');
    harness.fails = () => false;
    const { length: count } = await harness.drain('queue');
    expect(count).toBeGreaterThan(0);
    if (!json) {
      expect(printed[0]).toBe(`Promo events moved back from the dead-letter queue: ${count}`);
      return;
    }
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      {
        moved: [{ clientId: 'demo', count }],
        deadLetters: { unread: null },
        queue: { waiting: null },
      },
    ]);
  });

  test('no more batches are processed after a failed call', async () => {
    await harness.send('dead-letters', ...EVENTS, ...EVENTS, ...EVENTS, ...EVENTS, ...EVENTS);
    let sends = 0;
    harness.fails = ({ operation }) => operation === 'send' && sends++ === 0;
    // The other workers are in the middle of a batch when the first one fails.
    harness.before = async ({ operation }) => {
      if (operation === 'send' && sends > 0) await setTimeout(300);
    };
    expect((await run({ move: true })).error?.name).toContain('AccessDenied');
    expect(sends).toBeLessThanOrEqual(8);
    const left = await harness.drain('dead-letters');
    expect(left.length + (await harness.drain('queue')).length).toBe(125);
    expect(left.length).toBeGreaterThanOrEqual(125 - 70);
  });

  test('a run after a failed run moves the remaining events, and nothing is lost', async () => {
    await harness.send('dead-letters', ...EVENTS);
    harness.fails = ({ operation }) => operation === 'delete';
    expect((await run({ move: true })).error).toBeDefined();
    harness.fails = () => false;
    const { printed, error } = await run({ move: true });
    expect(error).toBeUndefined();
    expect(printed.at(-1)).toMatch(QUEUED);
    expect([...new Set(await harness.drain('queue'))]).toEqual(BODIES);
    expect(await harness.drain('dead-letters')).toEqual([]);
  });
});
