import { createHash } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { type Given, type Input, lengthOf } from 'customer-data-api/testing/aws';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect, vi } from 'vitest';
import { STACK, scenario } from '../support/transcripts/desk.ts';
import { eventsOf, queuesOf } from '../support/transcripts/queues.ts';

const FOREIGN = '{"some":"thing"}';
const EVENTS = eventsOf(25);
const BODIES = EVENTS.map((event) => JSON.stringify(event)).sort();
const at = (receivedAt: string, others: object = {}) => ({
  ...eventOf('jane'),
  receivedAt,
  ...others,
});

scenario('queue/show', 'Dead letters are shown by client, and stay.', async (desk) => {
  const { run, note } = desk;
  const { send, hold, drain } = await queuesOf(desk);
  await run('queue show --local');
  await run('queue show --local --json | cat');
  await send('queue', ...EVENTS.slice(0, 3));
  await send(
    'deadLetters',
    at('2026-11-20T11:00:00.000Z'),
    at('2026-11-20T09:00:00.000Z'),
    at('2026-11-20T10:00:00.000Z'),
    at('2026-11-20T12:00:00.000Z', { clientId: 'acme' }),
    'two\nlines',
  );
  await run('queue show --local');
  await run('queue show --local --json | cat');
  await send('deadLetters', 'x'.repeat(5000));
  const { stdout } = await desk.unseen('queue show --local --json | cat');
  const { others } = JSON.parse(stdout).deadLetters;
  const contents = others.map(({ content }: { readonly content: string }) => content);
  expect(contents).toEqual(['two\nlines', 'x'.repeat(4000)]);
  await run('queue redrive --local --dry-run --json | cat');
  // They can be received at once.
  expect(await drain('deadLetters')).toHaveLength(6);
  note('Somebody else has one in flight, and three are being stored:');
  await send('deadLetters', FOREIGN);
  await Promise.all([hold('queue'), hold('deadLetters')]);
  await run('queue show --local');
  await run('queue redrive --local --yes --json | cat');
});

scenario(
  'queue/purge-history',
  'The dead letters of the history are counted, and removed together.',
  async (desk) => {
    const { run, outputs, service } = desk;
    await run('queue purge-history --local --yes');
    const QueueUrl = outputs.ConfigVersionsDeadLetterQueueUrl;
    for (const MessageBody of ['{}', FOREIGN]) {
      await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    }
    await run('queue purge-history --local --dry-run');
    await run('queue purge-history --local', 'n');
    await run('queue purge-history --local --yes --json | cat');
    await run('queue purge-history --local --dry-run');
  },
);

scenario('queue/many', 'No more dead letters are hidden than SQS allows.', async (desk) => {
  const { unseen, answer, note } = desk;
  const [Body = ''] = BODIES;
  const MD5OfBody = createHash('md5').update(Body).digest('hex');
  for (const [command, unread] of [
    ['queue show', 7],
    ['queue replay --dry-run', undefined],
  ] as const) {
    let sent = 0;
    const message = () => {
      const id = String(++sent);
      return { MessageId: id, ReceiptHandle: id, Body, MD5OfBody };
    };
    answer({
      GetQueueAttributes: lengthOf(7),
      ReceiveMessage: () => ({
        Messages: sent < 20_000 ? Array.from({ length: 500 }, message) : [],
      }),
      // To release so many would take long.
      ChangeMessageVisibilityBatch: undefined,
    });
    const { code, stdout, stderr } = await unseen(`${command} --local --json | cat`);
    note(`./customer-data ${command}: exit code ${code}. ${stderr}`.trimEnd());
    const { deadLetters, isComplete = false } = JSON.parse(stdout);
    expect(isComplete).toBe(false);
    expect(deadLetters.unread).toBe(unread);
    const read = deadLetters.promoEvents?.[0].count ?? deadLetters;
    expect(read).toBeGreaterThanOrEqual(10_000);
    // Each of eight workers may have received its last messages by then.
    expect(read).toBeLessThan(10_000 + 8 * 500);
  }
});

scenario(
  'queue/redrive',
  'Each event is sent before its dead letter is deleted; other messages stay.',
  async (desk) => {
    const { run, unseen, aws, answer, receive } = desk;
    const { send, drain, bodyOf } = await queuesOf(desk);
    // SQS may return fewer messages than it has.
    answer({
      ReceiveMessage: (input, passOn) => receive({ ...input, MaxNumberOfMessages: 3 }, passOn),
    });
    await run('queue redrive --local', 'y');
    await send('deadLetters', ...EVENTS, FOREIGN);
    await run('queue redrive --local --dry-run');
    await run('queue redrive --local < /dev/null');
    await run(`queue redrive --stack ${STACK}`, 'n');
    await run('queue redrive --local', 'y');
    const moves = aws.calls.flatMap(({ operation, input }) =>
      /^(Send|Delete)MessageBatch$/.test(operation)
        ? (input.Entries as object[]).map((entry) => `${operation} ${bodyOf(entry as never)}`)
        : [],
    );
    for (const body of BODIES) {
      const own = moves.filter((move) => move.endsWith(body));
      expect(own).toEqual([`SendMessageBatch ${body}`, `DeleteMessageBatch ${body}`]);
    }
    for (const input of aws.inputsOf('ReceiveMessage')) {
      expect(input).toMatchObject({
        WaitTimeSeconds: 1,
        VisibilityTimeout: 120,
        MaxNumberOfMessages: 10,
      });
    }
    expect(await drain('queue')).toEqual(BODIES);
    expect(await drain('deadLetters')).toEqual([FOREIGN]);
    // No author is recorded, so nobody is asked for one.
    await send('deadLetters', ...EVENTS);
    answer({ GetCallerIdentity: undefined });
    expect((await unseen(`queue redrive --stack ${STACK} --yes`)).code).toBe(0);
  },
);

scenario('queue/redrive-refused', 'What SQS refuses stays, and nothing is lost.', async (desk) => {
  const { run, answer, note } = desk;
  const { send, drain, refusing } = await queuesOf(desk);
  const isThird = (body: string) => BODIES.indexOf(body) % 3 === 0;
  for (const call of ['SendMessageBatch', 'DeleteMessageBatch']) {
    await send('deadLetters', ...EVENTS);
    note(`${call} refuses every third message.`);
    answer({ [call]: refusing(isThird) });
    await run('queue redrive --local --yes');
    expect(await drain('deadLetters')).toEqual(BODIES.filter(isThird));
    const isSent = (body: string) => call === 'DeleteMessageBatch' || !isThird(body);
    expect(await drain('queue')).toEqual(BODIES.filter(isSent));
  }
});

scenario(
  'queue/redrive-fails',
  'A call that fails loses nothing, and what was done is said.',
  async (desk) => {
    const { run, answer, note, receive } = desk;
    const { send, drain, urls } = await queuesOf(desk);
    /** Refuses a call from a time on. */
    const from =
      (first: number, go: Given, isMeant: (url: unknown) => boolean = () => true): Given =>
      (input, passOn) => {
        if (isMeant(input.QueueUrl)) first -= 1;
        if (first <= 0 && isMeant(input.QueueUrl)) return undefined;
        return typeof go === 'function' ? go(input, passOn) : passOn();
      };
    const pass: Given = (_, passOn) => passOn();
    const calls: Record<string, Given> = {
      ReceiveMessage: from(2, receive),
      SendMessageBatch: from(2, pass),
      DeleteMessageBatch: undefined,
      ChangeMessageVisibilityBatch: undefined,
      GetQueueAttributes: from(1, pass, (url) => url === urls.queue),
    };
    for (const [call, given] of Object.entries(calls)) {
      note(`${call} is not permitted, at the second call or for one queue.`);
      await send('deadLetters', ...EVENTS, FOREIGN);
      answer({ [call]: given });
      const { code, stdout } = await desk.unseen('queue redrive --local --yes --json | cat');
      const { moved, queue } = JSON.parse(stdout);
      note(`Exit code ${code}.`);
      expect(queue.waiting === null).toBe(code !== 0);
      const left = [...(await drain('queue')), ...(await drain('deadLetters'))];
      const isReleased = call !== 'ChangeMessageVisibilityBatch';
      expect([...new Set(left)].sort()).toEqual(isReleased ? [FOREIGN, ...BODIES].sort() : BODIES);
      // What is in both queues is not said to be moved.
      const twice = left.length - new Set(left).size;
      expect(moved[0]?.count ?? 0).toBeLessThanOrEqual(BODIES.length - twice);
    }
    await send('deadLetters', EVENTS[0] as object);
    answer({ GetQueueAttributes: calls.GetQueueAttributes });
    await run('queue redrive --local --yes');
  },
);

scenario(
  'queue/remove',
  'Only messages that are named, and are no promo events, are removed.',
  async (desk) => {
    const { run, answer, note } = desk;
    const { send, drain, refusing } = await queuesOf(desk);
    const never = { ...EVENTS[0], clientId: '' };
    const [first = '', , third = ''] = await send('deadLetters', 'first', 'second', never);
    await run(`queue remove ${first} ${third} --local --dry-run | cat`);
    await run(`queue remove ${first} ${third} --local`, 'n');
    await run(`queue remove ${first} ${third} --local`, 'y');
    const [event] = await send('deadLetters', EVENTS[0] as object);
    await run(`queue remove ${event} unknown --local --yes --json | cat`);
    note('SQS refuses to delete it.');
    const [fourth] = await send('deadLetters', 'fourth');
    answer({ DeleteMessageBatch: refusing(() => true) });
    await run(`queue remove ${fourth} --local --yes`);
    expect(await drain('deadLetters')).toEqual(['fourth', 'second', BODIES[0]].sort());
  },
);

/** The codes of events that the bus has received. */
const codesOf = (events: readonly { detail: { item: { promoCode?: { S: string } } } }[]) =>
  events.map(({ detail }) => detail.item.promoCode?.S).sort();

scenario(
  'queue/replay',
  'After a replay, the bus has received the events as from the pipe.',
  async (desk) => {
    const { run, aws } = desk;
    const { put, apply, addBusDeadLetter, published, drain } = await queuesOf(desk);
    await run('queue replay --local');
    await run('queue replay --local --dry-run --json | cat');
    // Somebody adds an attribute, which the service does not know.
    await put({ clientId: 'demo', eventId: 'a', kind: 'applied', signature: new Uint8Array([1]) });
    for (const code of ['A', 'B', 'C', 'D']) await apply('demo-user', code);
    await addBusDeadLetter(1, 2);
    await addBusDeadLetter(4, 4);
    await run('queue replay --local --dry-run');
    await run('queue replay --local', async () => {
      process.emit('SIGTERM');
      return 'y';
    });
    await run('queue replay --local', 'y');
    for (const input of aws.inputsOf('ReceiveMessage')) {
      expect(input).toMatchObject({ WaitTimeSeconds: 1, VisibilityTimeout: 120 });
    }
    for (const { Key, ConsistentRead } of aws.inputsOf('GetItem')) {
      // The key of no event asks for the time.
      expect(ConsistentRead).toBe(JSON.stringify(Key).includes('\\u0000') ? undefined : true);
    }
    const [fromPipe, replayed] = [(await published()).slice(0, 5), (await published()).slice(5)];
    expect(codesOf(replayed)).toEqual(['A', 'C', undefined]);
    const same = ({ id, time, ...event }: { id: string; time: string }) => event;
    expect(fromPipe.map(same)).toEqual(expect.arrayContaining(replayed.map(same)));
    expect(await drain('busDeadLetters')).toEqual([]);
  },
);

scenario(
  'queue/replay-after-erasure',
  'The events of an erased user do not reach the bus again.',
  async (desk) => {
    const { run, unseen, answer, note } = desk;
    const { apply, addBusDeadLetter, published, drain } = await queuesOf(desk);
    for (const code of ['A', 'B']) await apply('jane', code);
    await apply('joe', 'C');
    await addBusDeadLetter(1, 3);
    await run('user erase demo --local --user jane --yes | cat');
    // A command takes no time here: what comes in the second of the erasure is erased.
    const second = Date.now() + 1000;
    await vi.waitUntil(() => Date.now() > second);
    await apply('jane', 'A');
    // With the records of the erasure, of which the pipe makes no events.
    await addBusDeadLetter(2, 5);
    await run('queue replay --local --dry-run --json | cat');
    const before = await published();
    await run('queue replay --local', 'y');
    expect(codesOf((await published()).slice(before.length))).toEqual(['A', 'C', 'C']);
    const ofA = (await published()).filter(({ detail }) => detail.item.promoCode.S === 'A');
    // What the user applied since is published again, and not what was erased.
    expect(ofA.map(({ detail }) => detail)).toEqual([0, 1, 1].map((index) => ofA[index].detail));
    expect(ofA[0].detail).not.toEqual(ofA[1].detail);
    await addBusDeadLetter(2, 2);
    await run('queue replay --local', 'n');
    await run('queue replay --local --json', 'y');
    expect(await published()).toHaveLength(before.length + 3);
    note('An erasure fails after its marker: the item is still there.');
    answer({ DeleteItem: undefined });
    expect((await unseen('user erase demo --local --user joe --yes')).code).toBe(4);
    await addBusDeadLetter(3, 3);
    await run('queue replay --local --yes --json | cat');
    expect(await published()).toHaveLength(before.length + 3);
    expect(await drain('busDeadLetters')).toEqual([]);
  },
);

/** A message that a pipe sends to its dead-letter queue. */
const deadLetterOf = (startSequenceNumber: string, endSequenceNumber: string) => ({
  DDBStreamBatchInfo: {
    streamArn: 'arn:aws:dynamodb',
    shardId: 'shardId-1',
    startSequenceNumber,
    endSequenceNumber,
    approximateArrivalOfFirstRecord: '2026-11-20T09:30:00Z',
  },
});

scenario(
  'queue/stream',
  'The records of a dead letter are read up to its last one, on whichever pages they are.',
  async (desk) => {
    const { run, answer, aws, note } = desk;
    const { send, drain } = await queuesOf(desk);
    // As long as AWS's: neighbours are equal as JavaScript numbers, and 1000 has a digit more.
    const long = (number: number) => String(10n ** 21n - 1000n + BigInt(number));
    const [id] = await send('busDeadLetters', deadLetterOf(long(999), long(1001)));
    const replay = async (GetRecords: Given) => {
      answer({
        GetShardIterator: { ShardIterator: '0' },
        GetRecords,
        GetItem: ({ Key }) => ({
          Item: {
            ...Object(Key),
            ...(Object(Key).eventId.S !== '1000' && { kind: { S: 'applied' } }),
          },
        }),
      });
      await run('queue replay --local --dry-run --json | cat');
    };
    const empty = Array<number[]>(19).fill([]);
    for (const [what, isClosed, ...pages] of [
      ['A later one follows.', false, [999, 1000, 1001, 1002]],
      ['They are on several pages, between empty ones.', false, [999], ...empty, [1000], [1001]],
      ['The last one has expired.', false, [999, 1002]],
      ['The stream ends before the last one.', false, [999, 1000]],
      ['Its shard is closed before the last one.', true, [999, 1000]],
    ] as [string, boolean, ...number[][]][]) {
      note(what);
      await replay(({ ShardIterator }) => {
        const page = Number(ShardIterator);
        const Records = (pages[page] ?? []).map((number) => ({
          eventName: 'INSERT',
          dynamodb: {
            SequenceNumber: long(number),
            Keys: { eventId: { S: String(number) }, clientId: { S: 'demo' } },
            NewImage: { kind: { S: 'applied' } },
          },
        }));
        return { Records, ...(!isClosed && { NextShardIterator: String(page + 1) }) };
      });
      expect(aws.inputsOf('GetShardIterator')).toMatchObject([
        {
          ShardIteratorType: 'AT_SEQUENCE_NUMBER',
          SequenceNumber: long(999),
          ShardId: 'shardId-1',
        },
      ]);
      expect(aws.inputsOf('GetRecords').length).toBeLessThanOrEqual(22);
    }
    for (const gone of ['TrimmedDataAccess', 'ResourceNotFound', 'LimitExceeded']) {
      note(`The stream answers ${gone}.`);
      await replay({ __type: `${gone}Exception`, message: 'No.' });
    }
    answer();
    await run(`queue replay --remove ${id} --local`, 'y');
    expect(await drain('busDeadLetters')).toEqual([]);
  },
);

scenario('queue/replay-problems', 'What cannot be replayed is named, and stays.', async (desk) => {
  const { run, outputs, writeOutputs, answer, note } = desk;
  const { put, apply, addBusDeadLetter, send, drain, refusing, published } = await queuesOf(desk);
  // The bus of the local server rejects it, so the pipe makes a dead letter of its own.
  await put({ clientId: 'demo', eventId: 'by hand' });
  await apply('demo-user', 'A');
  await addBusDeadLetter(1, 2);
  await addBusDeadLetter(2_000_000, 2_000_001);
  const [foreign] = await send('busDeadLetters', deadLetterOf('999', '1e3'));
  await run('queue replay --local --yes');
  expect(codesOf(await published())).toEqual(['A', 'A']);
  await run('queue replay --local --dry-run --json | cat');
  await run(`queue replay --remove ${foreign} unknown --local`, 'n');
  await run(`queue replay --remove ${foreign} unknown --local`, 'y');
  note('The bus is not reached.');
  await writeOutputs({ ...outputs, EventBridgeEndpoint: 'http://127.0.0.1:1' });
  await run('queue replay --local --yes --json | cat');
  await writeOutputs(outputs);
  note('SQS does not delete it, and releases none.');
  const [other] = await send('busDeadLetters', FOREIGN);
  answer({
    DeleteMessageBatch: refusing(() => true),
    ChangeMessageVisibilityBatch: undefined,
  });
  await run(`queue replay --remove ${other} --local --yes | cat`);
  await run('queue replay --local --yes');
  expect(await drain('busDeadLetters')).toEqual([]);
});

scenario(
  'queue/replay-rejected',
  'A dead letter stays if the bus rejects one of its events, or SQS does not delete it.',
  async (desk) => {
    const { run, aws, answer } = desk;
    const { apply, addBusDeadLetter, drain, refusing, published } = await queuesOf(desk);
    for (let code = 0; code < 11; code++) await apply('demo-user', `C${code}`);
    await addBusDeadLetter(1, 11);
    const busy = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down.' };
    answer({
      PutEvents: async ({ Entries }, passOn) => {
        const [first, ...others] = Entries as Input[];
        // Without a name, events would go to the default bus of the account.
        expect(first?.EventBusName).toBe(desk.outputs.PromoEventsBusName);
        if (others.length === 0) return passOn();
        return { Entries: [busy, ...others.map(() => ({ EventId: '1' }))], FailedEntryCount: 1 };
      },
    });
    await run('queue replay --local --yes');
    expect(aws.inputsOf('DeleteMessageBatch')).toEqual([]);
    answer({ DeleteMessageBatch: refusing(() => true) });
    await run('queue replay --local --yes');
    expect(await published()).toHaveLength(11 + 1 + 11);
    expect(await drain('busDeadLetters')).toHaveLength(1);
  },
);

scenario(
  'queue/interrupted',
  'An interrupted command ends after its batches, and nothing is lost.',
  async (desk) => {
    const { run, unseen, answer, note } = desk;
    const { send, drain, before } = await queuesOf(desk);
    note('Ctrl-C is pressed while messages are received.');
    await send('deadLetters', ...EVENTS);
    await send('busDeadLetters', ...BODIES);
    answer({ ReceiveMessage: before(() => process.emit('SIGINT')) });
    await run('queue show --local | cat');
    const replay = await unseen('queue replay --local --dry-run --json | cat');
    expect(replay.code).toBe(1);
    expect(JSON.parse(replay.stdout).deadLetters).toBe(10);
    expect(await drain('busDeadLetters')).toEqual(BODIES);
    await run('queue redrive --local');
    expect(await drain('deadLetters')).toEqual(BODIES);
    note('Ctrl-C is pressed while eight workers send a batch of ten each.');
    for (let times = 0; times < 4; times++) await send('deadLetters', ...EVENTS);
    const eighth = Promise.withResolvers<void>();
    let sending = 0;
    answer({
      SendMessageBatch: async (_, passOn) => {
        if (++sending === 8) {
          process.emit('SIGINT');
          eighth.resolve();
        }
        await eighth.promise;
        return passOn();
      },
    });
    const { code } = await unseen('queue redrive --local --yes');
    note(`Exit code ${code}.`);
    expect(await drain('queue')).toHaveLength(80);
    expect(await drain('deadLetters')).toHaveLength(20);
  },
);

scenario(
  'queue/long-runs',
  'What a run receives again, after the visibility timeout, counts once.',
  async (desk) => {
    const { run, answer, note } = desk;
    const { send, returnAgain, refusing, drain, before } = await queuesOf(desk);
    const [id] = await send('deadLetters', FOREIGN);
    await send('busDeadLetters', FOREIGN);
    await send('deadLetters', EVENTS[0] as object);
    const body = BODIES[0] as string;
    let times = 0;
    const again = before(async ({ QueueUrl }) => {
      if (times >= 3) return;
      const isBus = QueueUrl === desk.outputs.PromoEventsBusDeadLetterQueueUrl;
      if (!isBus) await returnAgain('deadLetters', body);
      times = await returnAgain(isBus ? 'busDeadLetters' : 'deadLetters', FOREIGN);
    });
    for (const command of ['queue show --local', 'queue replay --local --dry-run']) {
      desk.received.clear();
      times = 0;
      answer({ ReceiveMessage: again });
      await run(command);
      expect(times).toBeGreaterThanOrEqual(3);
    }
    note('SQS deletes it at the second try only.');
    const refuses = refusing(() => true);
    let deletions = 0;
    answer({
      ReceiveMessage: before(() => deletions < 2 && returnAgain('deadLetters', FOREIGN)),
      DeleteMessageBatch: (input, passOn) =>
        deletions++ === 0 ? Object(refuses)(input, passOn) : passOn(),
    });
    desk.received.clear();
    await run(`queue remove ${id} --local --yes`);
    expect(await drain('deadLetters')).toEqual([body]);
    expect(await drain('busDeadLetters')).toEqual([FOREIGN]);
  },
);
