import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readDeadLetter } from '../../../core/events/dead-letter.ts';
import { type Input, startAws } from '../../support/aws.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { appliedItem } from '../../support/promo-event.ts';

/*
 * What becomes of the events of new items in the running stack: the table, its stream, the filter,
 * the function, the bus and the dead letters. The bus has faults on request.
 */

const SOON = { interval: 20 };
const HOUR = 60 * 60;
const REFUSED = { ErrorCode: 'InvalidArgument', ErrorMessage: 'It is not valid.' };
const FAILED = { ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' };

let service: FaultyService;
let bus: Awaited<ReturnType<typeof startAws>>;
let log: ReturnType<FaultyService['watchLog']>;
beforeAll(async () => {
  bus = await startAws();
  service = await startFaultyService({
    environment: { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint },
  });
  return async () => {
    await service.stop();
    await bus.stop();
  };
});

/** The users of the events that the bus accepted, in order. */
const published: string[] = [];

/** Lets the bus answer to each entry, or to a call with undefined. */
function answer(answerTo: (user: string, entries: readonly Input[]) => object | undefined) {
  bus.answer({
    PutEvents: ({ Entries }) => {
      const entries = Entries as readonly Input[];
      const answers = entries.map((entry) => {
        const { userId } = JSON.parse(String(entry.Detail));
        return { userId, answered: answerTo(userId, entries) };
      });
      if (answers.some(({ answered }) => answered === undefined)) return undefined;
      for (const { userId, answered } of answers) {
        if (Object(answered).EventId) published.push(userId);
      }
      return { Entries: answers.map(({ answered }) => answered), FailedEntryCount: 0 };
    },
  });
}

const accepted = { EventId: '1' };

beforeEach(() => {
  published.length = 0;
  service.toDynamoDb.faultOf = () => undefined;
  service.toSqs.faultOf = () => undefined;
  answer(() => accepted);
  log = service.watchLog();
});

/** A record of the stream. */
function recordOf(userId: string, ageSeconds = 0, others: object = {}): DynamoDBRecord {
  const image = Object.entries(appliedItem(userId, others)).map(([name, S]) => [name, { S }]);
  const { clientId, eventId, ...attributes } = Object.fromEntries(image);
  return {
    eventID: `${userId}-${Math.random()}`,
    eventName: 'INSERT',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000) - ageSeconds,
      Keys: { clientId, eventId },
      NewImage: { clientId, eventId, ...attributes },
      SequenceNumber: userId,
    },
  };
}

/** Calls the function with records. Returns the users whose records are to be delivered again. */
async function publish(...Records: DynamoDBRecord[]): Promise<string[]> {
  const event: DynamoDBStreamEvent = { Records };
  const response = await service.functionOf('PublishPromoEvents').invoke(event);
  return (response as DynamoDBBatchResponse).batchItemFailures.map((one) => one.itemIdentifier);
}

/** Removes all dead letters, and returns them. */
async function letters() {
  const QueueUrl = service.outputs.PromoEventsBusDeadLetterQueueUrl;
  const found = [];
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await service.sqs.send(receive);
    if (Messages.length === 0) return found;
    for (const { Body = '', ReceiptHandle } of Messages) {
      found.push(readDeadLetter(Body));
      await service.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}
const usersOf = (found: Awaited<ReturnType<typeof letters>>) =>
  found.map((one) => Object(one?.detail).userId).sort();

test('a bus that is out of reach, throttles or is not permitted leaves no dead letter, and each event reaches it', async () => {
  let calls = 0;
  answer(() => undefined);
  for (const user of ['down-1', 'down-2']) await service.putPromoEvent(appliedItem(user));
  await log.logged('not published yet');
  answer(() => (calls++ < 2 ? FAILED : accepted));
  await vi.waitFor(() => expect(new Set(published)).toEqual(new Set(['down-1', 'down-2'])), SOON);
  expect(await letters()).toEqual([]);
  for (const ErrorCode of ['ThrottlingException', 'InternalException', 'SomethingNew']) {
    answer(() => ({ ErrorCode }));
    expect(await publish(recordOf('busy'))).toEqual(['busy']);
  }
  expect(await letters()).toEqual([]);
});

test.each([
  ['false', 'device', undefined],
  ['true', 'device', 'device'],
  ['true', '', undefined],
])(
  'with STORE_DEVICE_IDS %s, the event of an item with the device "%s" has the device %s',
  async (setting, stored, expected) => {
    await service
      .functionOf('PublishPromoEvents')
      .deploy({ environment: { STORE_DEVICE_IDS: setting } });
    expect(await publish(recordOf('jane', 0, { deviceId: stored }))).toEqual([]);
    const { Entries } = bus.inputsOf('PutEvents').at(-1) ?? {};
    const [{ Detail = '' } = {}] = Entries as Input[];
    expect(JSON.parse(String(Detail)).deviceId).toBe(expected);
  },
);

test('an event that the bus refuses becomes a dead letter, the event itself, after few attempts; the others go on', async () => {
  const attempts: number[] = [];
  answer((user, { length }) => {
    if (user !== 'bad') return accepted;
    attempts.push(length);
    return REFUSED;
  });
  const records = Array.from({ length: 12 }, (_, n) => recordOf(n === 3 ? 'bad' : `good-${n}`));
  expect(await publish(...records)).toEqual([]);
  expect(published).toHaveLength(11);
  expect(attempts).toEqual([10, 1, 1]);
  const [letter, ...others] = await letters();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    source: 'customer-data-api.promo-events',
    detailType: 'applied',
    detail: { clientId: 'demo', userId: 'bad', eventId: 'bad#CODE#applied' },
    reason: expect.stringContaining('InvalidArgument'),
  });
});

test('an entry that is refused with its whole call does not take the others along', async () => {
  bus.answer({
    PutEvents: ({ Entries }) => {
      const users = (Entries as Input[]).map(({ Detail }) => JSON.parse(String(Detail)).userId);
      if (users.includes('bad')) return { __type: 'ValidationException', message: 'No.' };
      published.push(...users);
      return { Entries: users.map(() => accepted), FailedEntryCount: 0 };
    },
  });
  expect(await publish(recordOf('a'), recordOf('bad'), recordOf('b'))).toEqual([]);
  expect(published.sort()).toEqual(['a', 'b']);
  expect(usersOf(await letters())).toEqual(['bad']);
});

test('of a batch, a call has at most ten entries and 256 KB together; a larger event is a dead letter with its key', async () => {
  const sizes: number[] = [];
  bus.answer({
    PutEvents: ({ Entries }) => {
      const entries = Entries as Input[];
      sizes.push(entries.length);
      expect(JSON.stringify(entries).length).toBeLessThan(300_000);
      return { Entries: entries.map(() => accepted), FailedEntryCount: 0 };
    },
  });
  const large = { source: 'x'.repeat(100_000) };
  const records = Array.from({ length: 21 }, (_, n) => recordOf(`${n}`, 0, n < 5 ? large : {}));
  const tooLarge = recordOf('huge', 0, { source: 'x'.repeat(263_000) });
  expect(await publish(...records, tooLarge)).toEqual([]);
  expect(sizes.reduce((one, other) => one + other)).toBe(21);
  expect(Math.max(...sizes)).toBe(10);
  const [letter] = await letters();
  expect(letter?.detail).toEqual({ clientId: 'demo', eventId: 'huge#CODE#applied' });
});

test('only the records that failed are delivered again, and what was published is not published again', async () => {
  answer((user) => (user === 'slow' ? FAILED : accepted));
  const records = ['first', 'slow', 'last'].map((user) => recordOf(user));
  expect(await publish(...records)).toEqual(['slow']);
  answer(() => accepted);
  // Lambda delivers those after it, too.
  expect(await publish(...records.slice(1))).toEqual([]);
  expect(published).toEqual(['first', 'last', 'slow']);
});

test('an hour before the stream forgets it, an event that the bus cannot take is a dead letter; if that fails, it stays in the stream', async () => {
  answer(() => undefined);
  const old = () => recordOf('old', 23 * HOUR + 1);
  service.toSqs.faultOf = () => 'not permitted';
  expect(await publish(old(), recordOf('young', 22 * HOUR))).toEqual(['old', 'young']);
  service.toSqs.faultOf = () => undefined;
  expect(await publish(old(), recordOf('young', 22 * HOUR))).toEqual(['young']);
  expect(usersOf(await letters())).toEqual(['old']);
});

test('one line is logged for each attempt with a batch, however many records fail', async () => {
  answer(() => undefined);
  const records = Array.from({ length: 30 }, (_, n) => recordOf(`${n}`, 0, { clientId: 'acme' }));
  // A line of the test before can come late: the records of this one are numbered.
  const lines = () =>
    log.lines().filter((line) => /not published yet.*"sequenceNumber":"\d+"/.test(line));
  for (const attempts of [1, 2]) {
    expect(await publish(...records)).toHaveLength(30);
    await vi.waitFor(() => expect(lines()).toHaveLength(attempts), SOON);
  }
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ records: 30, sequenceNumber: '0' });
});

test('the events of erased users are not published once they are late; their marker is read once per client and batch', async () => {
  const reads = () => service.databaseCalls.filter((call) => call === 'Query').length;
  await service.markErased('demo', 'erased');
  const before = reads();
  expect(await publish(recordOf('erased'), recordOf('kept'))).toEqual([]);
  expect(reads()).toBe(before);
  expect(await publish(recordOf('erased', 61), recordOf('kept', 61), recordOf('also', 61))).toEqual(
    [],
  );
  expect(reads()).toBe(before + 1);
  expect(published.sort()).toEqual(['also', 'erased', 'kept', 'kept']);
  // The key names the user of an item that somebody wrote by hand.
  for (const userId of [undefined, { N: '5' }]) {
    const { dynamodb, ...record } = recordOf('erased', 61);
    const NewImage = { ...dynamodb?.NewImage };
    delete NewImage.userId;
    Object.assign(NewImage, userId && { userId });
    expect(await publish({ ...record, dynamodb: { ...dynamodb, NewImage } })).toEqual([]);
  }
  expect(published).toHaveLength(4);
  await service.markErased('demo', 'erased', { erasedAt: 'yesterday' });
  expect(await publish(recordOf('erased', 61), recordOf('kept', 61))).toEqual(['erased']);
  service.toDynamoDb.faultOf = () => 'not permitted';
  expect(await publish(recordOf('kept', 61))).toEqual(['kept']);
  expect(await letters()).toEqual([]);
});

test('what was imported is no news: the filter keeps it from the function, which would drop it', async () => {
  const imported = { importedAt: '2026-11-20T09:30:00.000Z' };
  expect(await publish(recordOf('imported', 0, imported), recordOf('news'))).toEqual([]);
  const invoke = vi.spyOn(service.functionOf('PublishPromoEvents'), 'invoke');
  await service.putPromoEvent(appliedItem('imported', imported));
  await service.putPromoEvent(appliedItem('after'));
  await vi.waitFor(() => expect(published).toEqual(['news', 'after']), SOON);
  const records = invoke.mock.calls.flatMap(([event]) => (event as DynamoDBStreamEvent).Records);
  expect(records).toHaveLength(1);
});

test('a record that cannot be read is a dead letter with its key, and the others are published', async () => {
  const { dynamodb, ...record } = recordOf('broken');
  const { NewImage: _, ...without } = dynamodb ?? {};
  expect(await publish({ ...record, dynamodb: without }, recordOf('good'))).toEqual([]);
  expect(published).toEqual(['good']);
  const [letter] = await letters();
  expect(letter?.detail).toEqual({ clientId: 'demo', eventId: 'broken#CODE#applied' });
});

test('nothing is lost when the function is killed while it publishes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isKilled = false;
  bus.answer({
    PutEvents: async ({ Entries }) => {
      if (!isKilled) {
        resolve();
        await new Promise(() => {});
      }
      published.push(...(Entries as Input[]).map(({ Detail }) => JSON.parse(`${Detail}`).userId));
      return { Entries: (Entries as Input[]).map(() => accepted), FailedEntryCount: 0 };
    },
  });
  await service.putPromoEvent(appliedItem('killed-1'));
  await service.putPromoEvent(appliedItem('killed-2'));
  await promise;
  isKilled = true;
  await service.kill('PublishPromoEvents');
  await vi.waitFor(
    () => expect([...new Set(published)].sort()).toEqual(['killed-1', 'killed-2']),
    SOON,
  );
});

test('the log names neither users nor codes', async () => {
  answer((user) => (user === 'jane-doe' ? REFUSED : FAILED));
  await publish(recordOf('jane-doe'), recordOf('john-doe'));
  await log.logged('is a dead letter', 'not published yet');
  // In a test, the sequence number of a record is its user.
  const lines = log.lines().map((line) => line.replace(/"sequenceNumber":"[^"]*"/, ''));
  expect(lines.filter((line) => /jane|john|CODE/.test(line))).toEqual([]);
  await letters();
});

test('while the bus hangs, an old event becomes a dead letter before Lambda ends the function', async () => {
  bus.answer({ PutEvents: () => new Promise(() => {}) });
  await service.functionOf('PublishPromoEvents').deploy({ timeoutSeconds: 5 });
  expect(await publish(recordOf('old', 23 * HOUR + 1), recordOf('young'))).toEqual(['young']);
  expect(usersOf(await letters())).toEqual(['old']);
});
