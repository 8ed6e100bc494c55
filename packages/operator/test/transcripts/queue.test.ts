import { hash } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CONFIGURATION_CHANGED, CONFIGURATIONS_SOURCE } from 'customer-data-api/history';
import {
  asStored,
  PROMO_EVENTS_SOURCE,
  publishedEvent,
  userHash,
} from 'customer-data-api/promo-events';
import { type Given, type Input, lengthOf } from 'customer-data-api/testing/aws';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect } from 'vitest';
import { STACK, scenario } from '../support/transcripts/desk.ts';
import { eventsOf, itemOf, queuesOf } from '../support/transcripts/queues.ts';

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
  const { urls, letterOf } = await queuesOf(desk);
  for (const [queue, kind, Body] of [
    ['deadLetters', 'deadLetters', BODIES[0]],
    ['busDeadLetters', 'unpublished', JSON.stringify({ ...letterOf('jane'), source: 'another' })],
  ] as const) {
    const MD5OfBody = hash('md5', `${Body}`);
    let sent = 0;
    const message = () => {
      const id = String(++sent);
      return { MessageId: id, ReceiptHandle: id, Body, MD5OfBody };
    };
    answer({
      GetQueueAttributes: lengthOf(7),
      ReceiveMessage: ({ QueueUrl }) => ({
        Messages:
          QueueUrl === urls[queue] && sent < 20_000 ? Array.from({ length: 500 }, message) : [],
      }),
      // To release so many would take long.
      ChangeMessageVisibilityBatch: undefined,
    });
    const { code, stdout, stderr } = await unseen('queue show --local --json | cat');
    note(`${kind}: exit code ${code}. ${stderr}`.trimEnd());
    const found = JSON.parse(stdout)[kind];
    expect(found.unread).toBe(7);
    const { count: read } = (found.promoEvents ?? found.events)[0];
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
    await run(`queue remove ${first} nonsense --local --dry-run --json | cat`);
    await run(`queue remove ${first} nonsense --local`);
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

scenario(
  'queue/unpublished',
  'Events that are not on the bus are published as their items are in the table, and then deleted.',
  async (desk) => {
    const { run, aws } = desk;
    const { put, send, letterOf, published, drain } = await queuesOf(desk);
    for (const user of ['ann', 'joe']) await put(itemOf(user));
    const other = { ...letterOf('ann'), source: 'another', detail: { clientId: 'acme' } };
    const gone = letterOf('gone');
    await send('busDeadLetters', letterOf('ann'), letterOf('joe'), gone, other);
    await run('queue show --local');
    await run('queue show --local --json | cat');
    await run('queue redrive --local --dry-run');
    await run('queue redrive --local', async () => {
      process.emit('SIGTERM');
      return 'y';
    });
    await run('queue redrive --local', 'y');
    for (const { Key, ConsistentRead } of aws.inputsOf('GetItem')) {
      // The key of no event asks for the time.
      expect(ConsistentRead).toBe(JSON.stringify(Key).includes('\\u0000') ? undefined : true);
    }
    const events = (await published()).map(({ source, detail }) => ({ source, detail }));
    expect(events).toHaveLength(3);
    expect(events).toEqual(
      expect.arrayContaining([
        ...['ann', 'joe'].map((user) => ({
          source: PROMO_EVENTS_SOURCE,
          detail: publishedEvent(asStored(itemOf(user), false)).detail,
        })),
        { source: 'another', detail: { clientId: 'acme' } },
      ]),
    );
    expect(await drain('busDeadLetters')).toEqual([]);
    await send('busDeadLetters', gone);
    await run('queue redrive --local --json | cat', 'y');
    await send('busDeadLetters', gone);
    await run('queue redrive --local --yes --json | cat');
  },
);

scenario(
  'queue/unpublished-erased',
  'The events of an erased user do not reach the bus again.',
  async (desk) => {
    const { run, unseen, answer, note } = desk;
    const { put, send, letterOf, published, drain } = await queuesOf(desk);
    for (const user of ['ann', 'joe']) await put(itemOf(user));
    const letters = [letterOf('ann'), letterOf('joe')];
    await run('user erase demo --local --user ann --yes | cat');
    await send('busDeadLetters', ...letters);
    await run('queue redrive --local --dry-run --json | cat');
    note('An erasure fails after its marker: the item is still there.');
    answer({ DeleteItem: undefined });
    expect((await unseen('user erase demo --local --user joe --yes')).code).toBe(4);
    await run('queue redrive --local --yes');
    expect(await published()).toEqual([]);
    note('A user comes back, and applies the code again.');
    await put({ ...itemOf('ann'), receivedAt: new Date(Date.now() + 60_000).toISOString() });
    await send('busDeadLetters', letterOf('ann'));
    await run('queue redrive --local --yes');
    expect(await published()).toEqual([]);
    expect(await drain('busDeadLetters')).toEqual([]);
  },
);

scenario(
  'queue/unpublished-fails',
  'What the bus does not take stays, and is not said to be published.',
  async (desk) => {
    const { run, aws, answer, note, outputs, writeOutputs } = desk;
    const { put, send, letterOf, drain, refusing } = await queuesOf(desk);
    const users = Array.from({ length: 11 }, (_, index) => `user-${index}`);
    for (const user of users) await put(itemOf(user));
    const { kind: _, ...withoutKind } = itemOf('without-kind');
    await put(withoutKind);
    const ids = await send('busDeadLetters', letterOf('without-kind'), FOREIGN);
    await run('queue redrive --local --yes --json | cat');
    note('The bus refuses one of them, and accepts the others.');
    await send('busDeadLetters', ...users.map(letterOf));
    answer({
      PutEvents: ({ Entries }) => {
        const entries = Entries as Input[];
        // Without a name, events would go to the default bus of the account.
        for (const { EventBusName } of entries)
          expect(EventBusName).toBe(outputs.PromoEventsBusName);
        return {
          Entries: entries.map(({ Detail }) =>
            JSON.parse(String(Detail)).userId === 'user-3'
              ? { ErrorCode: 'InvalidArgument', ErrorMessage: 'It is not valid.' }
              : { EventId: '1' },
          ),
        };
      },
    });
    await run('queue redrive --local --yes');
    note('The bus is throttled.');
    answer({
      PutEvents: { Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow.' }] },
    });
    await run('queue redrive --local --yes');
    expect(aws.inputsOf('DeleteMessageBatch')).toEqual([]);
    note('The bus is not reached.');
    answer();
    await writeOutputs({ ...outputs, EventBridgeEndpoint: 'http://127.0.0.1:1' });
    await run('queue redrive --local --yes --json | cat');
    await writeOutputs(outputs);
    note('SQS deletes none.');
    answer({ DeleteMessageBatch: refusing(() => true) });
    await run('queue redrive --local --yes');
    answer();
    await run(`queue remove ${ids.join(' ')} unknown --local --yes`);
    await drain('busDeadLetters');
  },
);

scenario(
  'queue/kept',
  'What keeps a dead letter does not keep the others, and is said.',
  async (desk) => {
    const { run, answer, note, outputs, service } = desk;
    const { put, send, letterOf, published, drain } = await queuesOf(desk);
    const users = ['ann', 'joe', 'kim', 'sue'];
    // Neither JavaScript's numbers nor its integers can be one that somebody has written.
    const points = NumberValue.from('12345678901234567890.5');
    for (const user of users) await put({ ...itemOf(user), points });
    const mark = (erasedAt: string, expiresAt: number | NumberValue) =>
      service.documentClient.send(
        new PutCommand({
          TableName: outputs.ErasuresTableName,
          Item: { clientId: 'demo', user: joe, erasedAt, expiresAt },
        }),
      );
    const joe = await userHash('demo', 'joe');
    await mark('2026-11-19T09:30:00.000Z', points);
    const long = letterOf('ann');
    const ofAnotherKind = {
      ...letterOf('ann'),
      source: 'customer-data-api.configurations',
      detailType: 'configuration-changed',
      detail: { clientId: 'demo' },
    };
    await send(
      'busDeadLetters',
      ...['ann', 'joe', 'joe', 'kim', 'sue'].map(letterOf),
      { ...long, detail: { ...long.detail, eventId: 'x'.repeat(3000) } },
      ofAnotherKind,
    );
    await send('deadLetters', { ...EVENTS[0], clientId: 'demo' }, { ...EVENTS[0], userId: 'joe' });
    await run('queue show --local');
    note('Another kind of events may not be published, and the bus throttles one of them.');
    answer({
      PutEvents: async (input, passOn) => {
        const entries = input.Entries as readonly Input[];
        const isThrottled = ({ Detail }: Input) => JSON.parse(String(Detail)).userId === 'kim';
        if (entries.some(({ Source }) => Source === ofAnotherKind.source)) return undefined;
        const taken = entries.filter((one) => !isThrottled(one));
        if (taken.length > 0) await passOn({ ...input, Entries: taken });
        return {
          Entries: entries.map((one) =>
            isThrottled(one) ? { ErrorCode: 'ThrottlingException' } : { EventId: '1' },
          ),
        };
      },
    });
    await run('queue redrive --local --yes');
    expect((await published()).map(({ detail }) => detail.userId).sort()).toEqual(['ann', 'sue']);
    expect(await drain('queue')).toHaveLength(1);
    await run('queue redrive --local --yes --json | cat');
    note('The marker is corrected, and the bus permits and takes all.');
    answer();
    await mark('2026-11-19T09:30:00.000Z', 4_000_000_000);
    await run('queue redrive --local --yes');
    expect(await drain('busDeadLetters')).toHaveLength(1);
    expect(await drain('deadLetters')).toEqual([]);
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
    answer({ ReceiveMessage: before(() => process.emit('SIGINT')) });
    await run('queue show --local | cat');
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
    answer({ ReceiveMessage: again });
    await run('queue show --local');
    expect(times).toBeGreaterThanOrEqual(3);
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

scenario(
  'queue/news',
  'News of a configuration is published as it is: there is neither an item nor a marker to look up.',
  async (desk) => {
    const { run, aws } = desk;
    const { send, published, drain } = await queuesOf(desk);
    const letter = {
      source: CONFIGURATIONS_SOURCE,
      detailType: CONFIGURATION_CHANGED,
      detail: { clientId: 'demo', configurationVersion: 7, chat: { text: '"\n' } },
      time: '2026-11-20T09:30:00.000Z',
      reason: 'The bus did not take it.',
    };
    await send('busDeadLetters', letter);
    await run('queue show --local');
    await run('queue redrive --local', 'y');
    const { source, detailType, detail } = letter;
    expect(await published()).toEqual([
      expect.objectContaining({ source, 'detail-type': detailType, detail }),
    ]);
    expect(aws.inputsOf('Query')).toEqual([]);
    expect(await drain('busDeadLetters')).toEqual([]);
    const [id] = await send('busDeadLetters', letter);
    await run(`queue remove ${id} --local`, 'y');
    expect(await drain('busDeadLetters')).toEqual([]);
  },
);
