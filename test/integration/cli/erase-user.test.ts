import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EraseOptions, eraseUser } from '../../../cli/user/erase-user.ts';
import type { PromoEvent } from '../../../core/promo-events/promo-event.ts';
import { eventOf } from '../../support/promo-event.ts';
import { type Harness, type QueueName, startHarness } from '../../support/queue-harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

async function erase(options: Partial<EraseOptions> = {}) {
  const printed: string[] = [];
  const user = { clientId: 'demo', userId: 'jane' };
  const error = await eraseUser(harness.outputs, user, {
    pauseMs: 1,
    wait: { intervalMs: 1, patienceMs: 3 },
    confirm: async () => true,
    print: (line) => printed.push(line),
    note: (line) => printed.push(line),
    ...options,
  }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, error };
}

const mustNotAsk = () => Promise.reject(new Error('It asked.'));

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
const IN_USE = 'The queue is in use. It is searched again in 0 s.';
const NOTHING =
  'Nothing is stored about jane. All places were searched: table, queue, dead letters.';

test('the events of the user are removed, and those of other users stay', async () => {
  await harness.store(...JANES, ...OTHERS);
  for (const queue of QUEUES) await harness.send(queue, ...JANES, ...OTHERS, ...JANES);
  await harness.send('dead-letters', JANES[0] as PromoEvent);
  const { printed, error } = await erase();
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    'Promo events of the user jane of the client demo:',
    '  in the queue: 6',
    '  in the dead-letter queue: 7',
    '  in the table: 3',
    IN_USE,
    'Removed from the queue: 6',
    'Removed from the dead-letter queue: 7',
    'Removed from the table: 3',
  ]);
  expect(await harness.stored()).toEqual(
    OTHERS.map(({ clientId, userId }) => `${clientId} ${userId}`).sort(),
  );
  for (const queue of QUEUES) expect(await harness.drain(queue)).toEqual(jsonOf(OTHERS));
  // The preview releases them all. One search was enough, and one more because the queue was in use.
  expect(harness.log.filter((line) => line.startsWith('release queue'))).toHaveLength(
    3 * OTHERS.length + 2 * JANES.length,
  );
});

describe('before it removes anything', () => {
  test('it shows what it would remove, and removes nothing unless that is confirmed', async () => {
    await harness.store(...JANES);
    for (const queue of QUEUES) await harness.send(queue, ...JANES, ...OTHERS);
    const { printed, error } = await erase({ confirm: async () => false });
    expect(error?.message).toBe('Nothing was removed.');
    expect(printed).toEqual([
      'Promo events of the user jane of the client demo:',
      '  in the queue: 3',
      '  in the dead-letter queue: 3',
      '  in the table: 3',
    ]);
    expect(harness.log.join('\n')).not.toContain('delete');
    expect(await harness.stored()).toHaveLength(3);
    // They can be received at once.
    for (const queue of QUEUES) {
      expect(await harness.drain(queue)).toEqual(jsonOf([...JANES, ...OTHERS]));
    }
  });

  test('it reports a client that never was, and fails without asking', async () => {
    await harness.store(...OTHERS);
    for (const options of [{}, { isDryRun: true }, { json: true }]) {
      const { printed, error } = await erase({ ...options, confirm: mustNotAsk });
      expect(error).toMatchObject({ exitCode: 1, message: 'There is no client demo.' });
      expect(printed).toEqual([]);
    }
  });

  test.each(QUEUES)('a message in the %s only is enough to go on', async (queue) => {
    await harness.send(queue, JANES[0] as PromoEvent);
    const { printed, error } = await erase();
    expect(error).toBeUndefined();
    expect(printed.join('\n')).toMatch(/^Removed from the .*queue: 1$/m);
  });
});

describe('when nothing is stored about the user', () => {
  beforeEach(() => harness.addClient('demo'));

  test('a complete search says so, asks nothing, and succeeds', async () => {
    await harness.store(...OTHERS);
    await harness.send('dead-letters', ...OTHERS);
    for (const options of [{}, { isDryRun: true }]) {
      const { printed, error } = await erase({ ...options, confirm: mustNotAsk });
      expect(error).toBeUndefined();
      expect(printed).toEqual([NOTHING]);
    }
    const none = { queue: 0, deadLetterQueue: 0 };
    const { printed, error } = await erase({ json: true, confirm: mustNotAsk });
    expect(error).toBeUndefined();
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ clientId: 'demo', userId: 'jane', removed: { ...none, table: 0 } },
        ...{ unreadable: 0, unsearched: none, busDeadLetters: 0 },
      },
    ]);
    expect(await harness.drain('dead-letters')).toEqual(jsonOf(OTHERS));
  });

  test('a run after an unfinished one succeeds, and so does one after the client was removed', async () => {
    await harness.store(...JANES);
    await harness.send('dead-letters', eventOf('joe'));
    await harness.hold('dead-letters', 600);
    expect((await erase()).error?.message).toMatch(/Run it again in ten minutes\.$/);
    expect(await harness.stored()).toEqual([]);
    await harness.releaseHeld();
    expect(await erase()).toEqual({ printed: [NOTHING], error: undefined });
    await harness.removeClient('demo');
    await harness.addVersion('demo');
    expect(await erase()).toEqual({ printed: [NOTHING], error: undefined });
  });

  test('and the queue is in use, it is searched again after its visibility timeout', async () => {
    await harness.send('queue', ...OTHERS);
    await harness.hold('queue', 600);
    const { printed, error } = await erase({ confirm: mustNotAsk, note: releaseWhenInUse });
    expect(error).toBeUndefined();
    expect(printed).toEqual([NOTHING]);
    expect(await harness.drain('queue')).toEqual(jsonOf(OTHERS));
  });

  test('and a message of the user returns meanwhile, it is shown and removed', async () => {
    await harness.send('queue', JANES[0] as PromoEvent);
    await harness.hold('queue', 600);
    const { printed, error } = await erase({ note: releaseWhenInUse });
    expect(error).toBeUndefined();
    expect(printed[0]).toBe('Removed from the queue: 1');
    expect(await harness.drain('queue')).toEqual([]);
  });

  test.each(QUEUES)('but a message of the %s stays in flight, the run fails', async (queue) => {
    await harness.send(queue, JANES[0] as PromoEvent);
    await harness.hold(queue, 600);
    const name = queue === 'queue' ? 'queue' : 'deadLetterQueue';
    for (const isDryRun of [true, false]) {
      const text = await erase({ isDryRun, confirm: mustNotAsk });
      expect(text.error).toMatchObject({
        exitCode: 1,
        message: 'Messages in flight elsewhere could not be searched. Run it again in ten minutes.',
      });
      expect(text.printed).not.toContain(NOTHING);
      expect(text.printed.join('\n')).toMatch(
        /queue: 0, and 1 in flight elsewhere, not searched$/m,
      );
      const json = await erase({ isDryRun, json: true, note: () => {}, confirm: mustNotAsk });
      expect(json.error?.message).toBe(text.error?.message);
      expect(json.printed.map((line) => JSON.parse(line).unsearched)).toEqual([
        { queue: 0, deadLetterQueue: 0, [name]: 1 },
      ]);
    }
  });

  /** Returns the held messages while the run waits. */
  function releaseWhenInUse(line: string): void {
    if (line !== IN_USE) return;
    const released = harness.releaseHeld();
    harness.before = () => released;
  }
});

describe('dead letters of the event bus', () => {
  test('are reported, whether something is stored about the user or not', async () => {
    await harness.store(...JANES);
    await harness.addClient('demo');
    await harness.send('bus-dead-letters', '{}', '{}');
    const expected =
      'The event bus has 2 dead letters, of any user. queue replay leaves out what is erased.';
    for (const options of [{ isDryRun: true }, {}, {}]) {
      const noted: string[] = [];
      const { error } = await erase({ ...options, note: (line) => noted.push(line) });
      expect(error).toBeUndefined();
      expect(noted.at(-1)).toBe(expected);
      const { printed } = await erase({ isDryRun: true, json: true, note: () => {} });
      expect(printed.map((line) => JSON.parse(line).busDeadLetters)).toEqual([2]);
    }
  });
});

test('messages without a promo event are counted and left in the queues', async () => {
  await harness.store(...JANES);
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
  });

  test.each(QUEUES)('in the %s, and returns during the run: it is removed', async (queue) => {
    await harness.send(queue, JANES[0] as PromoEvent);
    await harness.hold(queue, 1);
    const { printed, error } = await erase({ pauseMs: 600 });
    expect(error).toBeUndefined();
    expect(printed.join('\n')).toMatch(/^Removed from the .*queue: 1$/m);
    expect(await harness.drain(queue)).toEqual([]);
  });

  test.each(QUEUES)(
    'in the %s before the search, and returns behind it: it is removed',
    async (queue) => {
      await harness.store(JANES[0] as PromoEvent);
      await harness.send(queue, JANES[0] as PromoEvent);
      await harness.hold(queue, 600);
      // It returns when both queues were searched, before their messages in flight are counted again.
      let isConfirmed = false;
      let isSearched = false;
      let released: Promise<void> | undefined;
      harness.before = async (call) => {
        if (isConfirmed && call.operation === 'receive' && call.queue === 'dead-letters') {
          isSearched = true;
        }
        if (call.operation !== 'count' || !isSearched) return;
        released ??= harness.releaseHeld();
        await released;
      };
      const confirm = async () => {
        isConfirmed = true;
        return true;
      };
      const { printed, error } = await erase({ confirm });
      expect(error).toBeUndefined();
      expect(printed.join('\n')).toMatch(/queue: 1$/m);
      expect(await harness.drain(queue)).toEqual([]);
    },
  );

  test.each(QUEUES)('in the %s after the search: it is removed when it returns', async (queue) => {
    // Another receiver takes these messages during the search.
    await harness.send(queue, eventOf('joe'), JANES[0] as PromoEvent);
    let isConfirmed = false;
    let held: Promise<void> | undefined;
    let counts = 0;
    harness.before = async ({ operation, ...call }) => {
      if (!isConfirmed || call.queue !== queue) return;
      if (operation === 'receive') {
        held ??= harness.hold(queue, 600).then(() => harness.hold(queue, 600));
        await held;
      }
      // They return when the messages in flight were counted, before the next search.
      if (operation === 'count' && held && ++counts === 2) await harness.releaseHeld();
    };
    const confirm = async () => {
      isConfirmed = true;
      return true;
    };
    const { printed, error } = await erase({ confirm });
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
    expect(error?.message).toBe('SQS refused 1 message. InternalError: Try again. Run it again.');
    expect(printed).toContain('Removed from the queue: 2');
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
    expect(printed).toContain('Removed from the dead-letter queue: 3');
    expect(await harness.drain('dead-letters')).toEqual([]);
  });
});

describe('a queue with more messages than a search may hide', () => {
  const others = Array.from({ length: 35 }, (_, user) => eventOf(`joe-${user}`));
  const short = { maxMessages: 20, visibilityTimeoutSeconds: 30 };

  test('that becomes shorter is waited for, and none of its messages is hidden meanwhile', async () => {
    await harness.store(JANES[0] as PromoEvent);
    await harness.send('queue', ...others, JANES[1] as PromoEvent);
    let stored = 0;
    let receivedWhileLong = 0;
    // The function stores one message between two counts.
    harness.before = async ({ operation, queue }) => {
      if (operation === 'receive' && queue === 'queue' && stored < 16) receivedWhileLong++;
      if (operation !== 'count' || queue !== 'queue' || stored === 30) return;
      await harness.take('queue');
      stored++;
    };
    const { printed, error } = await erase({ queue: short });
    expect(error).toBeUndefined();
    expect(printed).toContain(
      '  in the queue: not known, because it is too long to be searched now',
    );
    const progress = printed.filter((line) => line.includes('messages wait to be stored'));
    expect(progress.length).toBeGreaterThan(10);
    expect(new Set(progress).size).toBe(progress.length);
    expect(receivedWhileLong).toBe(0);
    expect(printed).toContain('Removed from the queue: 1');
  });

  test.each(QUEUES)('is none if it has exactly that many: the %s', async (queue) => {
    await harness.send(queue, ...others.slice(0, 17), ...JANES);
    const { printed, error } = await erase({ queue: short, deadLetterQueue: short });
    expect(error).toBeUndefined();
    const name = queue === 'queue' ? 'queue' : 'dead-letter queue';
    expect(printed).toContain(`  in the ${name}: 3`);
    expect(printed).toContain(`Removed from the ${name}: 3`);
    expect(await harness.drain(queue)).toEqual(jsonOf(others.slice(0, 17)));
  });

  test('that stays long is not searched: the run removes everything else and fails', async () => {
    await harness.send('queue', ...others, ...JANES);
    await harness.send('dead-letters', ...JANES);
    await harness.store(...JANES);
    const { printed, error } = await erase({ queue: short });
    expect(error?.message).toMatch(
      /^The queue has too many messages to be searched, .* Run it again/,
    );
    expect(printed.slice(-3)).toEqual([
      'Removed from the queue: 0',
      'Removed from the dead-letter queue: 3',
      'Removed from the table: 3',
    ]);
    expect(harness.log.join('\n')).not.toContain('receive queue');
    expect(await harness.drain('queue')).toEqual(jsonOf([...others, ...JANES]));
  });

  test.each(QUEUES)('is not taken for one without messages of the user: the %s', async (queue) => {
    await harness.send(queue, ...others, ...JANES);
    const limits = { queue: short, deadLetterQueue: short };
    const shown = await erase({ ...limits, isDryRun: true, json: true });
    const none = { queue: 0, deadLetterQueue: 0 };
    const name = queue === 'queue' ? 'queue' : 'deadLetterQueue';
    expect(shown.printed.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ clientId: 'demo', userId: 'jane', found: { ...none, table: 0, [name]: null } },
        ...{ unreadable: 0, unsearched: { ...none, [name]: 38 }, busDeadLetters: 0 },
      },
    ]);
    for (const { error } of [shown, await erase(limits)]) {
      expect(error?.message).toMatch(/^The (dead-letter )?queue has too many messages/);
    }
  });

  test('is not waited for any longer after an interruption', async () => {
    await harness.store(...JANES);
    await harness.send('queue', ...others);
    const interrupted = new AbortController();
    let waits = 0;
    const { error } = await erase({
      queue: short,
      signal: interrupted.signal,
      note: (line) => {
        if (!line.includes('wait to be stored')) return;
        waits++;
        interrupted.abort();
      },
    });
    expect(error?.message).toBe('Interrupted. Run it again.');
    expect(waits).toBe(1);
    expect(await harness.stored()).toHaveLength(3);
  });

  test('of dead letters is not searched: the run says to move them back', async () => {
    await harness.send('dead-letters', ...others);
    await harness.store(...JANES);
    const { printed, error } = await erase({ deadLetterQueue: short });
    expect(error?.message).toMatch(
      /^The dead-letter queue has .* Move them back with customer-data queue redrive/,
    );
    expect(printed).toContain('Removed from the table: 3');
    expect(await harness.drain('dead-letters')).toEqual(jsonOf(others));
  });

  test('that SQS has counted too low is left when that many are hidden, and all are released', async () => {
    await harness.store(...JANES);
    // Sent after the count before the search.
    let isSent = false;
    harness.before = async ({ operation, queue }) => {
      if (isSent || operation !== 'receive' || queue !== 'queue') return;
      isSent = true;
      await harness.send('queue', ...others, ...others, ...others, ...others);
    };
    const { printed, error } = await erase({ queue: short });
    expect(printed).toContain(
      '  in the queue: not known, because it is too long to be searched now',
    );
    expect(error?.message).toMatch(/^The queue has too many messages/);
    expect(await harness.drain('queue')).toHaveLength(4 * others.length);
  });
});

test('a search of the queue hides its messages for 30 seconds at most, one of dead letters for ten minutes', async () => {
  await harness.store(...JANES);
  await erase();
  const timeouts = harness.receives.map((request) => {
    const { QueueUrl, VisibilityTimeout } = Object(request);
    return `${String(QueueUrl).replace(/.*\//, '')} ${VisibilityTimeout}`;
  });
  expect([...new Set(timeouts)].sort()).toEqual(['dead-letters 600', 'queue 30']);
});

test('a run that is interrupted while it looks asks nothing, and each of its searches ends', async () => {
  const others = Array.from({ length: 100 }, (_, user) => eventOf(`joe-${user}`));
  await harness.send('queue', ...others);
  const interrupted = new AbortController();
  harness.before = async ({ operation }) => {
    if (operation === 'receive') interrupted.abort();
  };
  const { printed, error } = await erase({
    signal: interrupted.signal,
    confirm: mustNotAsk,
  });
  expect(error?.message).toBe('Interrupted. Run it again.');
  expect(printed).toEqual([]);
  // One batch of each of eight workers.
  expect(harness.receives.length).toBeLessThanOrEqual(8);
  expect(await harness.drain('queue')).toEqual(jsonOf(others));
});

test('a run that is interrupted does not search again, even if messages are in flight elsewhere', async () => {
  await harness.send('queue', eventOf('joe'), ...JANES);
  await harness.hold('queue', 600);
  const interrupted = new AbortController();
  let counts = 0;
  harness.before = async ({ operation }) => {
    if (operation === 'delete') interrupted.abort();
    if (operation === 'count' && interrupted.signal.aborted) counts++;
  };
  const { error } = await erase({ signal: interrupted.signal });
  expect(error?.message).toBe('Interrupted. Run it again.');
  // Of the dead letters before their search, and of both queues after it.
  expect(counts).toBe(3);
});

test('a run that is interrupted removes no items, and everything can be received again', async () => {
  await harness.store(...JANES);
  await harness.send('queue', ...OTHERS);
  const interrupted = new AbortController();
  const { error } = await erase({
    signal: interrupted.signal,
    confirm: async () => {
      interrupted.abort();
      return true;
    },
  });
  expect(error?.message).toBe('Interrupted. Run it again.');
  expect(await harness.stored()).toHaveLength(3);
  expect(await harness.drain('queue')).toEqual(jsonOf(OTHERS));
});

test.each([true, false])(
  'what was removed before a failed call is said, as JSON: %s',
  async (json) => {
    await harness.store(...JANES);
    for (const queue of QUEUES) await harness.send(queue, ...JANES);
    harness.fails = ({ operation, queue }) => operation === 'delete' && queue === 'dead-letters';
    const { printed, error } = await erase({ json });
    expect(error?.name).toContain('AccessDenied');
    expect(await harness.stored()).toHaveLength(3);
    const removed = { queue: 3, deadLetterQueue: 0, table: 0 };
    const lines = [
      ...['Removed from the queue: 3', 'Removed from the dead-letter queue: 0'],
      'Removed from the table: 0',
    ];
    const user = { clientId: 'demo', userId: 'jane' };
    const unknown = { unreadable: null, unsearched: null };
    if (json) {
      const document = { ...user, removed, ...unknown, busDeadLetters: 0 };
      expect(JSON.parse(printed.at(-1) ?? '')).toEqual(document);
    } else expect(printed.slice(-3)).toEqual(lines);
  },
);

test('with --json, an interrupted run prints what it removed', async () => {
  await harness.store(...JANES);
  await harness.send('queue', ...JANES);
  const interrupted = new AbortController();
  harness.before = async ({ operation }) => {
    if (operation === 'delete') interrupted.abort();
  };
  const { printed, error } = await erase({ json: true, signal: interrupted.signal });
  expect(error?.message).toBe('Interrupted. Run it again.');
  expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({
    removed: { queue: 3 - (await harness.drain('queue')).length, table: 0 },
  });
});

test('a run shows how many messages it has searched, and how many items it has removed', async () => {
  await harness.store(...JANES);
  for (const queue of QUEUES) await harness.send(queue, ...OTHERS, ...JANES);
  const shown: [what: string, total: number | undefined, done: number[]][] = [];
  let ended = 0;
  await erase({
    progress: (what, total) => {
      const done: number[] = [];
      shown.push([what, total, done]);
      return { show: (one) => void done.push(one), [Symbol.dispose]: () => void ended++ };
    },
  });
  expect(shown.map(([what, total, done]) => [what, total, done.at(-1)])).toEqual([
    // In each queue: the preview, and two searches, because the queue was in use.
    ['Messages searched', undefined, OTHERS.length + JANES.length],
    ['Messages searched', undefined, OTHERS.length + JANES.length],
    ['Items removed', JANES.length, JANES.length],
    ['Messages searched', undefined, OTHERS.length],
    ['Items removed', 0, undefined],
  ]);
  expect(ended).toBe(shown.length);
});

test('messages that SQS does not release may be left, which the run says', async () => {
  await harness.store(...JANES);
  await harness.send('queue', ...OTHERS);
  harness.fails = ({ operation }) => operation === 'release';
  const { printed, error } = await erase();
  expect(error?.message).toMatch(/^Messages in flight elsewhere could not be searched\./);
  expect(printed).toContain('Removed from the table: 3');
});

test('messages without a promo event are counted once, even if the queues are searched several times', async () => {
  await harness.store(...JANES);
  await harness.send('queue', eventOf('joe'));
  await harness.hold('queue', 600);
  await harness.send('queue', 'not JSON');
  const { printed } = await erase();
  expect(printed).toContain('Messages without a promo event, left in the queues: 1');
});

test('the table is searched with a consistent read', async () => {
  await harness.store(...JANES);
  await erase();
  // The preview, and the search.
  const consistent = expect.objectContaining({ ConsistentRead: true });
  expect(harness.queries).toEqual([consistent, consistent]);
});

test('an interruption ends the wait for a queue in use, and what was removed is said', async () => {
  const Attributes = { VisibilityTimeout: '600' };
  const QueueUrl = harness.outputs.PromoEventsQueueUrl;
  await harness.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  await harness.send('queue', ...JANES);
  const interrupted = new AbortController();
  const { printed, error } = await erase({
    signal: interrupted.signal,
    note: (line) => {
      if (line.endsWith('searched again in 600 s.')) interrupted.abort();
    },
  });
  expect(error?.message).toBe('Interrupted. Run it again.');
  expect(printed).toContain('Removed from the queue: 3');
});

test('an item that the function stores while the queue is in use is removed from the table', async () => {
  await harness.send('queue', ...JANES);
  await harness.hold('queue', 600);
  const { printed, error } = await erase({
    note: (line) => {
      if (line !== IN_USE) return;
      const stored = harness.store(JANES[0] as PromoEvent).then(() => harness.dropHeld());
      harness.before = () => stored;
    },
  });
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    'Removed from the queue: 2',
    'Removed from the dead-letter queue: 0',
    'Removed from the table: 1',
  ]);
  expect(await harness.stored()).toEqual([]);
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
    expect(await harness.drain('queue')).toEqual(jsonOf([...JANES, ...OTHERS]));
  },
);
