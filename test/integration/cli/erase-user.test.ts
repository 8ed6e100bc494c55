import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EraseOptions, eraseUser } from '../../../cli/erase-user.ts';
import type { PromoEvent } from '../../../core/promo-events/promo-event.ts';
import { eventOf, type Harness, type QueueName, startHarness } from './queue-harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

async function erase(options: Omit<EraseOptions, 'print'> = {}) {
  const printed: string[] = [];
  const user = { clientId: 'demo', userId: 'jane' };
  const error = await eraseUser(harness.outputs, user, {
    pauseMs: 1,
    ...options,
    print: (line) => printed.push(line),
  }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, error };
}

const JANES = [
  eventOf('jane'),
  eventOf('jane', { promoCode: 'OTHER' }),
  eventOf('jane', { promoCode: 'a#b' }),
];
/** Other users with a similar id or client. */
const OTHERS = [
  eventOf('jane', { clientId: 'acme' }),
  eventOf('jane', { clientId: 'demo2' }),
  eventOf('demo', { clientId: 'jane' }),
  ...['janet', 'jan', 'Jane', 'jane#1', 'jane%23', ' jane'].map((userId) => eventOf(userId)),
];
const jsonOf = (events: readonly PromoEvent[]) =>
  events.map((event) => JSON.stringify(event)).sort();
const QUEUES: readonly QueueName[] = ['queue', 'dead-letters'];

test('the events of the user are removed, and those of other users stay', async () => {
  await harness.store(...JANES, ...OTHERS);
  for (const queue of QUEUES) await harness.send(queue, ...JANES, ...OTHERS, ...JANES);
  await harness.send('dead-letters', JANES[0] as PromoEvent);
  const { printed, error } = await erase();
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    'Removed from the queue: 6',
    'Removed from the dead-letter queue: 7',
    'Removed from the table: 3',
  ]);
  expect(await harness.stored()).toEqual(
    OTHERS.map(({ clientId, userId }) => `${clientId} ${userId}`).sort(),
  );
  for (const queue of QUEUES) expect(await harness.drain(queue)).toEqual(jsonOf(OTHERS));
  // One search was enough: a count before it and one after it.
  expect(harness.log.filter((line) => line === 'counted queue')).toHaveLength(2);
});

test('a user without events leaves every count at 0', async () => {
  const { printed, error } = await erase();
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    'Removed from the queue: 0',
    'Removed from the dead-letter queue: 0',
    'Removed from the table: 0',
  ]);
});

test('messages without a promo event are counted and left in the queues', async () => {
  for (const queue of QUEUES) await harness.send(queue, 'not JSON', '{"userId":"jane"}');
  const { printed, error } = await erase();
  expect(error).toBeUndefined();
  expect(printed).toContain('Messages without a promo event, left in the queues: 4');
  for (const queue of QUEUES) {
    expect(await harness.drain(queue)).toEqual(['not JSON', '{"userId":"jane"}'].sort());
  }
});

test('items on several pages are removed', async () => {
  const long = { promoCodeToken: 'x'.repeat(300_000) };
  for (let code = 0; code < 5; code++) {
    await harness.store(eventOf('jane', { ...long, promoCode: `C${code}` }));
  }
  expect((await erase()).printed).toContain('Removed from the table: 5');
  expect(await harness.stored()).toEqual([]);
});

describe('a message that is in flight elsewhere', () => {
  test.each(QUEUES)('in the %s: the run removes everything else and fails', async (queue) => {
    await harness.send(queue, eventOf('joe'));
    await harness.hold(queue, 600);
    await harness.send(queue, ...JANES);
    await harness.store(...JANES);
    const { printed, error } = await erase();
    expect(error?.constructor.name).toBe('CommandError');
    expect(error?.message).toMatch(/could not be searched\. Run it again in ten minutes\.$/);
    expect(printed).toContain('Removed from the table: 3');
    expect(await harness.drain(queue)).toEqual([]);
    // Five searches of two queues, each with a count before and after it.
    expect(harness.log.filter((line) => line === 'counted queue')).toHaveLength(10);
  });

  test.each(QUEUES)('in the %s, and returns during the run: it is removed', async (queue) => {
    await harness.send(queue, JANES[0] as PromoEvent);
    await harness.hold(queue, 1);
    const { printed, error } = await erase({ pauseMs: 600 });
    expect(error).toBeUndefined();
    expect(printed.slice(0, 2).sort()[0]).toMatch(/: [01]$/);
    expect(printed.join(' ')).toContain(': 1 ');
    expect(await harness.drain(queue)).toEqual([]);
  });

  test.each(QUEUES)(
    'in the %s before the search, and returns behind it: it is removed',
    async (queue) => {
      await harness.send(queue, JANES[0] as PromoEvent);
      await harness.hold(queue, 600);
      // It returns when both queues were searched, before their messages in flight are counted again.
      let counts = 0;
      let released: Promise<void> | undefined;
      harness.before = async ({ operation }) => {
        if (operation !== 'count' || ++counts <= 2) return;
        released ??= harness.releaseHeld();
        await released;
      };
      const { printed, error } = await erase();
      expect(error).toBeUndefined();
      expect(printed.join('\n')).toMatch(/queue: 1$/m);
      expect(await harness.drain(queue)).toEqual([]);
    },
  );

  test.each(QUEUES)('in the %s after the search: it is removed when it returns', async (queue) => {
    // Another receiver takes these messages during the search.
    await harness.send(queue, eventOf('joe'), JANES[0] as PromoEvent);
    let isHeld = false;
    let counts = 0;
    harness.before = async (call) => {
      if (!isHeld && call.operation === 'receive' && call.queue === queue) {
        isHeld = true;
        await harness.hold(queue, 600);
        await harness.hold(queue, 600);
      }
      // The first search and the counts after it are over: the messages return.
      if (call.operation === 'count' && isHeld && ++counts === 3) await harness.releaseHeld();
    };
    const { printed, error } = await erase();
    expect(error).toBeUndefined();
    expect(printed.join('\n')).toMatch(/queue: 1$/m);
    expect(await harness.drain(queue)).toEqual(jsonOf([eventOf('joe')]));
  });
});

describe('a message that SQS does not delete', () => {
  test('in any search: the run fails, and reports how many messages', async () => {
    await harness.send('queue', ...JANES, ...OTHERS);
    harness.refuses = ({ operation }, body) => operation === 'delete' && body.includes('OTHER');
    const { printed, error } = await erase();
    expect(error?.message).toBe('SQS refused 1 messages. InternalError: Try again. Run it again.');
    expect(printed[0]).toBe('Removed from the queue: 2');
    // The run released it, like the messages of others.
    expect(await harness.drain('queue')).toEqual(jsonOf([...OTHERS, JANES[1] as PromoEvent]));
  });

  test('in the first search: the next search deletes it', async () => {
    await harness.send('dead-letters', ...JANES);
    let refusals = 0;
    harness.refuses = ({ operation }, body) =>
      operation === 'delete' && body.includes('OTHER') && refusals++ === 0;
    const { printed, error } = await erase();
    expect(error).toBeUndefined();
    expect(printed[1]).toBe('Removed from the dead-letter queue: 3');
    expect(await harness.drain('dead-letters')).toEqual([]);
  });
});

test('too many messages of others: the run reports it, and leaves them all', async () => {
  const others = Array.from({ length: 35 }, (_, user) => eventOf(`joe-${user}`));
  await harness.send('queue', ...others);
  const { error } = await erase({ maxInFlight: 20 });
  expect(error?.message).toMatch(/^There are too many messages to search\. /);
  // Each of five searches stops after twenty.
  expect(harness.log.filter((line) => line.startsWith('release queue'))).toHaveLength(5 * 20);
  expect(await harness.drain('queue')).toEqual(jsonOf(others));
});

test('messages of the user do not count as messages of others', async () => {
  const events = Array.from({ length: 25 }, (_, code) => eventOf('jane', { promoCode: `${code}` }));
  await harness.send('queue', ...events);
  const { printed, error } = await erase({ maxInFlight: 5 });
  expect(error).toBeUndefined();
  expect(printed[0]).toBe('Removed from the queue: 25');
});

test('messages without a promo event are counted once, even if the queues are searched several times', async () => {
  await harness.send('queue', eventOf('joe'));
  await harness.hold('queue', 600);
  await harness.send('queue', 'not JSON');
  const { printed } = await erase();
  expect(printed).toContain('Messages without a promo event, left in the queues: 1');
});

test('the table is searched with a consistent read', async () => {
  await erase();
  expect(harness.queries).toEqual([expect.objectContaining({ ConsistentRead: true })]);
});

test('the queues are searched before the table, so that no message is stored after its search', async () => {
  await harness.store(...JANES);
  for (const queue of QUEUES) await harness.send(queue, ...JANES);
  let stored: string[] = [];
  harness.before = async ({ operation }) => {
    if (operation === 'delete') stored = await harness.stored();
  };
  await erase();
  expect(stored).toHaveLength(3);
});

test.each(['receive', 'delete', 'count'] as const)(
  'after a failed call (%s), all messages can be received again',
  async (failing) => {
    await harness.send('queue', ...JANES, ...OTHERS);
    let calls = 0;
    harness.fails = ({ operation }) =>
      operation === failing && (failing !== 'receive' || calls++ > 0);
    const { error } = await erase();
    expect(error?.name).toContain('AccessDenied');
    harness.fails = () => false;
    expect(await harness.drain('queue')).toEqual(
      failing === 'receive' ? jsonOf(OTHERS) : jsonOf([...JANES, ...OTHERS]),
    );
  },
);
