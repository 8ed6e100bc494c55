import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { PromoEvent } from 'customer-data-api/promo-events';
import type { Given, Input } from 'customer-data-api/testing/aws';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect } from 'vitest';
import { CTRL_C, type Desk, STACK, scenario } from '../support/transcripts/desk.ts';
import { type QueueName, queuesOf } from '../support/transcripts/queues.ts';
import { waits } from '../support/transcripts/waits.ts';

const JANES = ['CODE', 'OTHER', 'a#b'].map((promoCode) => eventOf('jane', { promoCode }));
/** Other users with a similar id or client. */
const OTHERS = [
  eventOf('jane', { clientId: 'acme' }),
  eventOf('jane', { clientId: 'demo2' }),
  eventOf('demo', { clientId: 'jane' }),
  ...['janet', 'jan', 'Jane', 'jane#1', 'jane%23', ' jane'].map((userId) => eventOf(userId)),
];
const [JANE = eventOf('jane')] = JANES;
const QUEUES = ['queue', 'deadLetters'] as const;
const ERASE = 'user erase demo --local --user jane';
const jsonOf = (events: readonly PromoEvent[]) =>
  events.map((event) => JSON.stringify(event)).sort();
const usersOf = (events: readonly { clientId: string; userId: string }[]) =>
  events.map(({ clientId, userId }) => `${clientId} ${userId}`).sort();
/** What SQS says about the length of a queue. */
const lengthOf = ([waiting, inFlight = 0]: readonly number[]) => ({
  Attributes: {
    ApproximateNumberOfMessages: String(waiting),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    VisibilityTimeout: '30',
  },
});

async function storeOf(desk: Desk) {
  const queues = await queuesOf(desk);
  return {
    ...queues,
    /** The users of whom the table has something. */
    stored: async () => usersOf((await desk.state()).promoEvents.map(Object).map(valuesOf)),
    sendTo: async (names: readonly QueueName[], ...events: (object | string)[]) => {
      for (const name of names) await queues.send(name, ...events);
    },
  };
}

const valuesOf = ({ clientId, userId }: Record<string, { S: string }>) => ({
  ...{ clientId: clientId?.S ?? '', userId: userId?.S ?? '' },
});

scenario('user/erase', 'The events of one user are erased; those of others stay.', async (desk) => {
  const { run, aws } = desk;
  const { store, stored, sendTo, drain, urls } = await storeOf(desk);
  await store(...JANES, ...OTHERS);
  await sendTo(QUEUES, ...JANES, ...OTHERS, ...JANES, 'not JSON', '{"userId":"jane"}');
  await sendTo(['deadLetters'], JANE);
  await sendTo(['busDeadLetters'], '{}', '{}');
  await run(`${ERASE} --dry-run`);
  await run(`${ERASE} --dry-run --json | cat`);
  await run(`${ERASE} < /dev/null`);
  await run(`user erase demo --stack ${STACK} --user jane`, 'n');
  await run(ERASE, 'y');
  expect(waits).toEqual([1000, 120_000, 1000]);
  const timeouts = aws.inputsOf('ReceiveMessage').map(({ QueueUrl, VisibilityTimeout }) => ({
    [String(QueueUrl)]: VisibilityTimeout,
  }));
  // A message on its way from one queue to the other is found in one of them.
  expect(Object.entries(Object.assign({}, ...timeouts))).toEqual([
    [urls.queue, 30],
    [urls.deadLetters, 600],
  ]);
  for (const { ConsistentRead, ExpressionAttributeValues } of aws.inputsOf('Query')) {
    expect({ ConsistentRead, ExpressionAttributeValues }).toMatchObject({
      ConsistentRead: true,
      // Users with a similar id are named.
      ExpressionAttributeValues: { ':prefix': { S: expect.stringMatching(/jane(%20)?#$/i) } },
    });
  }
  // The queues come first, so that no message is stored behind the search of the table.
  const operations = aws.calls.map(({ operation }) => operation);
  expect(operations.lastIndexOf('DeleteMessageBatch')).toBeLessThan(
    operations.indexOf('DeleteItem'),
  );
  expect(await stored()).toEqual(usersOf(OTHERS));
  for (const queue of QUEUES) {
    const left = ['not JSON', '{"userId":"jane"}', ...jsonOf(OTHERS)];
    expect(await drain(queue)).toEqual(left.sort());
  }
  expect(await drain('busDeadLetters')).toHaveLength(2);
});

scenario('user/erase-long', 'Many items and messages of a user are erased.', async (desk) => {
  const { store, stored, send, drain } = await storeOf(desk);
  const promoCodeToken = 'x'.repeat(300_000);
  // More than a page of a query, and more than a batch of messages.
  const long = Array.from({ length: 5 }, (_, code) =>
    eventOf('jane#', { promoCode: `C${code}`, promoCodeToken }),
  );
  await store(...long, JANE);
  for (let times = 0; times < 5; times++) await send('deadLetters', ...JANES, ...OTHERS);
  await desk.run('user erase demo --local --user "jane#" --yes --json | cat');
  expect(await stored()).toEqual(['demo jane']);
  await desk.run(`${ERASE} --yes --json | cat`);
  expect(await drain('deadLetters')).toHaveLength(5 * OTHERS.length);
  // The letters of a UUID can have any case.
  const id = '5f0c7e6a-1b2c-4d3e-8f90-a1b2c3d4e5f6';
  const forms = [id, id.toUpperCase(), id.replace('f', 'F')].map((form) => eventOf(form));
  for (const form of forms.map(({ userId }) => userId)) {
    await store(...forms.slice(0, 2), JANE);
    await send('deadLetters', ...forms, JANE);
    const { stdout } = await desk.unseen(`user erase demo --local --user ${form} --yes --json`);
    expect(JSON.parse(stdout).removed).toEqual({ queue: 0, deadLetterQueue: 3, table: 2 });
    expect(await stored()).toEqual(['demo jane']);
    expect(await drain('deadLetters')).toEqual(jsonOf([JANE]));
  }
});

scenario(
  'user/nothing-stored',
  'That nothing is stored is a result, and no error.',
  async (desk) => {
    const { run, remove, note, service } = desk;
    const { store, sendTo, hold, stored } = await storeOf(desk);
    await store(...OTHERS);
    await sendTo(['deadLetters'], ...OTHERS);
    await sendTo(['busDeadLetters'], '{}');
    await run('user erase nobody --local --user jane --yes');
    await run('user erase nobody --local --user jane --dry-run --json | cat');
    await run('user erase demo --local --user ""');
    await run(ERASE);
    await run(`${ERASE} --dry-run | cat`);
    await run(`${ERASE} --yes --json | cat`);
    note('A run is not complete, and is repeated.');
    await store(...JANES);
    const { release } = await hold('deadLetters');
    await run(`${ERASE} --yes`);
    expect(await stored()).toEqual(usersOf(OTHERS));
    await release();
    await run(`${ERASE} --yes`);
    await remove('demo');
    const TableName = service.outputs.ConfigVersionsTableName;
    const Item = { clientId: 'demo', version: 1 };
    await service.documentClient.send(new PutCommand({ TableName, Item }));
    await run(`${ERASE} --yes`);
  },
);

scenario(
  'user/in-flight',
  'What somebody else has in flight is not taken for nothing.',
  async (desk) => {
    const { run, answer, note } = desk;
    const { store, stored, send, hold, before } = await storeOf(desk);
    for (const queue of QUEUES) {
      await send(queue, JANE);
      const { delete: drop } = await hold(queue);
      await run(`${ERASE} --dry-run`);
      await run(ERASE);
      await run(`${ERASE} --yes --json | cat`);
      await store(...JANES);
      await run(`${ERASE} --yes | cat`);
      expect(await stored()).toEqual([]);
      await drop();
    }
    await send('queue', JANE);
    const takes = once(
      () => true,
      () => {
        note('Somebody receives it during the search.');
        return hold('queue');
      },
    );
    answer({ ReceiveMessage: before(takes) });
    await run(`${ERASE} --dry-run`);
  },
);

/** Whether a command asks how long it has to wait for what is in flight. */
const isWaiting = ({ AttributeNames }: Input) => String(AttributeNames) === 'VisibilityTimeout';

/** Does something at one moment of a run. */
const once = (isThen: (input: Input) => boolean, what: () => Promise<unknown>) => {
  let done: Promise<unknown> | undefined;
  return async (input: Input) => {
    if (isThen(input)) done ??= what();
    await done;
  };
};

scenario(
  'user/returns',
  'A message that returns meanwhile is removed, at any moment.',
  async (desk) => {
    const { run, unseen, answer, note } = desk;
    const { store, stored, send, hold, drain, before, urls } = await storeOf(desk);
    const isIn =
      (name: QueueName) =>
      ({ QueueUrl }: Input) =>
        QueueUrl === urls[name];
    for (const queue of QUEUES) {
      let isConfirmed = false;
      const yes = async () => {
        isConfirmed = true;
        return 'y';
      };
      note(`It is in flight, and returns to ${urls[queue].replace(/.*-/, '')} behind the search.`);
      await store(JANE);
      await send(queue, JANE);
      const { release } = await hold(queue);
      let isSearched = false;
      const returns = once(() => isSearched, release);
      answer({
        ReceiveMessage: before((input) => {
          if (isConfirmed && isIn('deadLetters')(input)) isSearched = true;
        }),
        GetQueueAttributes: before(returns),
      });
      await run(ERASE, yes);
      expect(await drain(queue)).toEqual([]);

      note('Somebody receives it before the search, and it returns before the next one.');
      isConfirmed = false;
      await send(queue, eventOf('joe'), JANE);
      let held: { readonly release: () => Promise<void> }[] | undefined;
      const takes = once(
        (input) => isConfirmed && isIn(queue)(input),
        async () => {
          held = [await hold(queue), await hold(queue)];
        },
      );
      let counts = 0;
      answer({
        ReceiveMessage: before(takes),
        GetQueueAttributes: before(async (input) => {
          if (!held || !isIn(queue)(input) || ++counts !== 2) return;
          for (const { release } of held) await release();
        }),
      });
      await run(ERASE, yes);
      expect(await drain(queue)).toEqual(jsonOf([eventOf('joe')]));
    }

    /** What happens while the command waits until the queue has what was in flight. */
    const meanwhile = (what: () => Promise<unknown>) => before(once(isWaiting, what));
    note('It returns while the command waits, and nothing else was found.');
    await send('queue', JANE);
    answer({ GetQueueAttributes: meanwhile((await hold('queue')).release) });
    await run(ERASE, 'y');
    expect(await drain('queue')).toEqual([]);
    note('A message of somebody else returns.');
    await send('queue', eventOf('joe'));
    answer({ GetQueueAttributes: meanwhile((await hold('queue')).release) });
    await run(ERASE);
    expect(await drain('queue')).toHaveLength(1);
    note('It is stored while the command waits.');
    await send('queue', ...JANES);
    const first = await hold('queue');
    const storeFirst = async () => {
      await store(JANE);
      await first.delete();
    };
    answer({ GetQueueAttributes: meanwhile(storeFirst) });
    const { code, stdout } = await unseen(`${ERASE} --yes`);
    expect({ code, stored: await stored() }).toEqual({ code: 0, stored: [] });
    expect(stdout).toMatch(/: 2\n.*: 0\n.*: 1\n$/);
  },
);

scenario(
  'user/refused',
  'A message that SQS does not delete is not said to be erased.',
  async (desk) => {
    const { run, answer, note } = desk;
    const { sendTo, drain, refusing } = await storeOf(desk);
    const isOther = (body: string) => body.includes('OTHER');
    await sendTo(['queue'], ...JANES, ...OTHERS);
    answer({ DeleteMessageBatch: refusing(isOther) });
    await run(`${ERASE} --yes`);
    expect(await drain('queue')).toEqual(jsonOf([...OTHERS, JANES[1] as PromoEvent]));
    note('Only in the first search.');
    await sendTo(['deadLetters'], ...JANES);
    let refusals = 0;
    answer({ DeleteMessageBatch: refusing((body) => isOther(body) && refusals++ === 0) });
    await run(`${ERASE} --yes | cat`);
    expect(await drain('deadLetters')).toEqual([]);
  },
);

scenario(
  'user/long-queue',
  'A long queue is not hidden from the function that stores it.',
  async (desk) => {
    const { run, unseen, aws, answer, receive, note } = desk;
    const { store, stored, sendTo, drain, urls } = await storeOf(desk);
    /**
     * SQS counts so many messages, and some in flight, one after the other; the last count stays.
     */
    const counted = (name: QueueName, ...counts: (number | number[])[]): Given => {
      let calls = 0;
      return (input, passOn) =>
        input.QueueUrl === urls[name] && !isWaiting(input)
          ? lengthOf([counts[Math.min(calls++, counts.length - 1)] ?? 0].flat())
          : passOn();
    };
    const received = () => aws.inputsOf('ReceiveMessage').map(({ QueueUrl }) => QueueUrl);
    await store(...JANES);
    await sendTo(QUEUES, ...JANES);
    note('It stays long.');
    const aboutTheSame = Array.from({ length: 100 }, (_, call) =>
      call < 15 ? 1100 : 1002 - (call % 2),
    );
    answer({ GetQueueAttributes: counted('queue', ...aboutTheSame) });
    await run(`${ERASE} --dry-run`);
    await run(`${ERASE} --dry-run --json | cat`);
    await run(`${ERASE} --yes`);
    expect(new Set(waits)).toEqual(new Set([1000, 10_000]));
    expect(received()).not.toContain(urls.queue);
    expect(await stored()).toEqual([]);
    expect(await drain('deadLetters')).toEqual([]);
    await store(...JANES);
    await sendTo(['deadLetters'], ...JANES);
    note('It becomes shorter.');
    // Twice before the search, that looks, and then while it waits.
    answer({
      GetQueueAttributes: counted('queue', 1500, 1500, 1500, 1400, [700, 500], 1200, 1000, 3),
    });
    await run(`${ERASE} --yes`);
    expect(await stored()).toEqual([]);
    expect(await drain('queue')).toEqual([]);
    note('Ctrl-C is pressed while it waits.');
    await store(JANE);
    answer({
      GetQueueAttributes: (input, passOn) => {
        if (aws.inputsOf('Query').length > 0) process.emit('SIGINT');
        return Object(counted('queue', 1001))(input, passOn);
      },
    });
    await run(`${ERASE} --yes`);
    expect(await stored()).toHaveLength(1);
    note('There are too many dead letters.');
    await sendTo(['deadLetters'], ...OTHERS);
    answer({ GetQueueAttributes: counted('deadLetters', 100_001) });
    await run(`${ERASE} --yes | cat`);
    expect(received()).not.toContain(urls.deadLetters);
    expect(await stored()).toHaveLength(0);
    await run(`${ERASE} --dry-run --json | cat`);
    note('There are as many as can be searched.');
    answer({ GetQueueAttributes: counted('deadLetters', 100_000) });
    await run(`${ERASE} --dry-run | cat`);
    note('SQS has counted too few: there are always more.');
    const MD5OfBody = createHash('md5').update('{}').digest('hex');
    let messages = 0;
    answer({
      GetQueueAttributes: counted('queue', 1000),
      ChangeMessageVisibilityBatch: ({ QueueUrl }, passOn) =>
        QueueUrl === urls.queue ? {} : passOn(),
      ReceiveMessage: (input, passOn) =>
        input.QueueUrl === urls.queue
          ? {
              Messages: Array.from({ length: 10 }, () => {
                const id = String(++messages);
                return { MessageId: id, ReceiptHandle: id, Body: '{}', MD5OfBody };
              }),
            }
          : receive(input, passOn),
    });
    const { code } = await unseen(`${ERASE} --dry-run`);
    note(`Exit code ${code}.`);
    const released = aws.inputsOf('ChangeMessageVisibilityBatch').flatMap(({ Entries }) => Entries);
    expect(released.length).toBeGreaterThan(messages);
    // Each of eight workers ends its batch of ten.
    expect(messages).toBeLessThanOrEqual(1000 + 8 * 10);
  },
);

scenario(
  'user/fails',
  'After a failed call, what was removed is said, and nothing stays hidden.',
  async (desk) => {
    const { run, unseen, answer, receive, note } = desk;
    const { store, stored, sendTo, drain, urls } = await storeOf(desk);
    await store(...JANES);
    await sendTo(QUEUES, ...JANES);
    note('It is not permitted to delete dead letters.');
    answer({
      DeleteMessageBatch: ({ QueueUrl }, passOn) =>
        QueueUrl === urls.deadLetters ? undefined : passOn(),
    });
    await run(`${ERASE} --yes`);
    expect(await stored()).toHaveLength(3);
    await sendTo(['queue'], ...JANES);
    await run(`${ERASE} --yes --json | cat`);
    expect(await stored()).toHaveLength(3);
    note('Nor the second item.');
    let deletions = 0;
    answer({ DeleteItem: (_, passOn) => (++deletions === 2 ? undefined : passOn()) });
    await run(`${ERASE} --yes | cat`);
    expect(await stored()).toHaveLength(2);
    for (const call of ['ReceiveMessage', 'DeleteMessageBatch', 'GetQueueAttributes', 'Query']) {
      let calls = 0;
      await sendTo(['queue'], ...JANES, ...OTHERS);
      const fails: Given = (input, passOn) => {
        if (call !== 'ReceiveMessage' || calls++ > 0) return undefined;
        return receive(input, passOn);
      };
      answer({ [call]: fails });
      const { code } = await unseen(`${ERASE} --yes`);
      note(`${call} fails: exit code ${code}.`);
      answer();
      expect(await drain('queue')).toEqual(jsonOf([...JANES, ...OTHERS]));
    }
  },
);

scenario(
  'user/interrupted',
  'An interrupted run ends after its batches, and hides nothing.',
  async (desk) => {
    const { run, aws, answer, note } = desk;
    const { store, stored, send, drain, before } = await storeOf(desk);
    const interrupted = before(() => process.emit('SIGINT'));
    await store(...JANES);
    for (let times = 0; times < 10; times++) await send('queue', ...OTHERS);
    note('Ctrl-C is pressed while it looks.');
    answer({ ReceiveMessage: interrupted });
    await run(ERASE);
    // One batch of each of eight workers.
    expect(aws.inputsOf('ReceiveMessage').length).toBeLessThanOrEqual(8);
    expect(await drain('queue')).toHaveLength(10 * OTHERS.length);
    note('At the question.');
    answer();
    await run(ERASE, CTRL_C);
    note('While it removes.');
    await send('queue', ...JANES);
    answer({ DeleteMessageBatch: interrupted });
    await run(`${ERASE} --yes --json | cat`);
    expect(await stored()).toHaveLength(3);
    note('While it waits until what was in flight has returned.');
    await send('queue', ...JANES);
    answer({ GetQueueAttributes: before((input) => isWaiting(input) && process.emit('SIGINT')) });
    await run(`${ERASE} --yes`);
  },
);
