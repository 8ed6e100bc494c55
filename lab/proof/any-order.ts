import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect } from 'vitest';
import { RECORDED_BY_NEXT, type Version } from '../../core/history/version.ts';
import { newestVersions } from '../../core/history/versions-table.ts';
import { identityWithoutCase } from '../../core/promo-events/code-identity.ts';
import { queueClient } from '../../packages/deployment/local/clients.ts';
import { startQueues } from '../../packages/local/events/queues.ts';
import { historyOf } from '../../test/support/history.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import { eventOf } from '../../test/support/promo-event.ts';
import { startTables } from '../../test/support/tables.ts';
import { beginErasure, CONTEXT, DATES, searchAndErase, startFunctions } from './functions.ts';
import type { Decision } from './gate.ts';

/*
 * Runs the functions of the models at the same time, with the embedded tables and queue.
 * fast-check's scheduler decides which of their calls of AWS is executed next, and which one ends
 * next. So items appear, expire and are erased between any two calls of a request.
 */

/** An invocation of a function, or a command. */
interface Caller {
  readonly name: string;
  /** The outcomes of its next calls. All later ones succeed. */
  readonly faults: Decision[];
}

type Handle = NodeHttpHandler['handle'];

const RETENTION_DAYS = 100;
/** The `Device-Id` of all calls. */
const DEVICE = 'device';
/** No message returns by itself. */
const HOURS = '43200';

export type AnyOrder = Awaited<ReturnType<typeof startAnyOrder>>;

export async function startAnyOrder() {
  const tables = await startTables();
  const { promoEventsTableName, erasuresTableName } = tables;
  const documentClient = DynamoDBDocumentClient.from(tables.dynamodb);
  const queues = await startQueues([]);
  const sqs = queueClient(queues.endpoint);
  const attributes = { QueueName: 'events', Attributes: { VisibilityTimeout: HOURS } };
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand(attributes));
  const letters = await sqs.send(new CreateQueueCommand({ QueueName: 'letters' }));
  const functions = await startFunctions(tables, tables.endpoint, {
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    PROMO_EVENTS_QUEUE_URL: QueueUrl,
    PROMO_EVENTS_BUS_DEAD_LETTER_QUEUE_URL: letters.QueueUrl ?? '',
    PROMO_EVENT_RETENTION_DAYS: String(RETENTION_DAYS),
    STORE_DEVICE_IDS: 'true',
  });
  const callers = new AsyncLocalStorage<Caller>();
  let scheduler: fc.Scheduler;
  /** The callers that neither wait for the scheduler nor have ended. */
  let running = 0;
  let failures: unknown[] = [];
  let runs = 0;
  /** The versions whose news the bus or its dead-letter queue took. */
  const told = new Set<number>();

  const { prototype } = NodeHttpHandler;
  const { handle } = prototype;
  prototype.handle = async function (this: NodeHttpHandler, request, options) {
    const caller = callers.getStore();
    const { body } = request;
    const input = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
    const { TableName } = input;
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    const call = async () => {
      const called =
        operation === 'PutEvents'
          ? answered('{"Entries":[{"EventId":"1"}],"FailedEntryCount":0}')
          : await handle.call(this, request, options);
      await callers.exit(() => hear(newsIn(input)));
      return called;
    };
    // The item of the client is only read.
    if (!caller || TableName === tables.configurations.configsTableName) return call();
    const label = `${caller.name}: ${operation}`;
    await scheduled(label);
    const decision = caller.faults.shift() ?? 'take';
    const called = decision === 'refuse' ? refusal() : await call();
    // Read here: a response that nobody reads keeps its connection.
    const content = await buffer(called.response.body);
    await scheduled(`${label} ends (${decision})`);
    if (decision !== 'lose') {
      called.response.body = Readable.from([content]);
      return called;
    }
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };

  /** News comes after its version, never before. */
  async function hear(news?: { readonly clientId: string; readonly configurationVersion: number }) {
    if (!news) return;
    const { clientId, configurationVersion } = news;
    const [newest] = await newestVersions(tables.configurations, clientId, 1);
    if (!(newest && newest.version >= configurationVersion)) {
      failures.push(new Error('News comes before its version.'));
    }
    told.add(configurationVersion);
  }

  async function scheduled(label: string): Promise<void> {
    running--;
    await scheduler.schedule(Promise.resolve(), label);
    running++;
  }

  /** Lets a caller begin when the scheduler says so. */
  function later(name: string, faults: Decision[], work: () => Promise<unknown>): void {
    const begin = async () => {
      running++;
      await callers.run({ name, faults }, work).catch((error) => failures.push(error));
      running--;
    };
    void scheduler.schedule(Promise.resolve(), `${name} begins`).then(begin);
  }

  /** Begins a run. Returns its client. */
  async function newRun(s: fc.Scheduler): Promise<string> {
    scheduler = s;
    failures = [];
    told.clear();
    const clientId = `run-${++runs}`;
    const item = { appIds: ['demo-app-key'], fields: [], lastFieldId: 0 };
    await tables.clients.put(clientId, { ...item, promoCodesIgnoreCase: true });
    return clientId;
  }

  /** Does all that is scheduled, one step after the other, and something after each. */
  async function finish(afterStep: () => Promise<void> | void): Promise<void> {
    while (scheduler.count() > 0) {
      await scheduler.waitNext(1);
      do await setImmediate();
      while (running > 0);
      if (failures.length > 0) throw failures[0];
      await afterStep();
    }
  }

  /** The history of the promo events of a user, and what was seen of it. */
  async function promoEvents(s: fc.Scheduler, scenario: PromoScenario): Promise<void> {
    const clientId = await newRun(s);
    const user = { clientId, userId: 'user' };
    const requests: Requested[] = [];
    /** The items at each step. */
    const seen: Seen[] = [];
    let before = new Map<string, Item>();
    let [step, removals, queued, deliveries] = [0, 0, 0, 0];
    let erasedAt = '';
    const table = { documentClient, tableName: promoEventsTableName };
    const erasures = { documentClient, tableName: erasuresTableName };
    /** The messages that were received, and not deleted. */
    const received = new Map<string, SQSEvent['Records'][number]>();

    async function observe(): Promise<void> {
      step++;
      const items = (await itemsIn(promoEventsTableName, documentClient, clientId)) as Item[];
      const now = new Map(items.map((item) => [item.eventId, item]));
      for (const item of items) {
        const earlier = before.get(item.eventId);
        if (earlier) expect(item, 'an item changes').toEqual(earlier);
        else expectWhole(item, requests);
        seen.push({ step, item });
      }
      for (const eventId of before.keys()) if (!now.has(eventId)) removals++;
      before = now;
    }

    async function apply(requested: Requested): Promise<void> {
      const { source, date, promoCode, promoCodeToken } = requested;
      requested.began = step;
      requested.at = new Date().toISOString();
      const more = { ...user, source, promoCode, ...(promoCodeToken && { promoCodeToken }) };
      const { statusCode, data } = await functions.apply({ more, requestDate: DATES[date] });
      requested.ended = step + 1;
      requested.told = statusCode === 200 ? data.outcome : 'failed';
      if (requested.told === 'queued') queued++;
    }

    async function receive(): Promise<SQSEvent['Records'][number] | undefined> {
      const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      if (!message) return undefined;
      const { MessageId: messageId, Body: body, ReceiptHandle: receiptHandle = '' } = message;
      const record = { messageId, body, receiptHandle } as SQSEvent['Records'][number];
      received.set(receiptHandle, record);
      return record;
    }

    /** Lambda deletes what the function has stored. */
    async function deliver(record: SQSEvent['Records'][number]): Promise<void> {
      const { batchItemFailures } = await functions.store({ Records: [record] }, CONTEXT);
      const { receiptHandle: ReceiptHandle } = record;
      if (batchItemFailures.length > 0 || !received.delete(ReceiptHandle)) return;
      await callers.exit(() => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })));
    }

    async function erase(): Promise<void> {
      erasedAt ||= await beginErasure(erasures, user);
      await searchAndErase(table, user, erasedAt);
    }

    async function deliverLater(): Promise<void> {
      const record = await receive();
      if (!record) throw new Error('A queued event is not in the queue.');
      const { faults = [] } =
        requests.find(({ source }) => record.body.includes(`"${source}"`)) ?? {};
      for (const _ of scenario.isDeliveredTwice ? [1, 2] : [1]) {
        later(`delivery ${++deliveries}`, faults, () => deliver(record));
      }
    }

    const HAPPENINGS: Readonly<Record<Happening, () => Promise<void>>> = {
      expire: async () => {
        for (const { eventId } of before.values()) {
          const Key = { clientId, eventId };
          const TableName = promoEventsTableName;
          await documentClient.send(new DeleteCommand({ TableName, Key }));
        }
      },
      // The operator repeats one that fails.
      erase: () => erase().catch(() => {}),
    };

    // A run that failed leaves messages.
    while (await receive());
    received.clear();
    for (const one of [...scenario.waiting, ...scenario.calls]) {
      const source = `call ${requests.length + 1}`;
      const faults = [...one.faults];
      const deviceId = requests.length < scenario.waiting.length ? one.waitingDevice : DEVICE;
      requests.push({
        ...one,
        deviceId,
        faults,
        source,
        began: 0,
        ended: 0,
        told: 'queued',
        at: '',
      });
    }
    const waiting = requests.slice(0, scenario.waiting.length);
    for (const { date, faults: _, ...requested } of waiting) {
      requested.at = new Date().toISOString();
      const { source, deviceId, promoCode, promoCodeToken } = requested;
      const codeIdentity = identityWithoutCase(promoCode);
      const token = promoCodeToken && { promoCodeToken };
      const others = { source, deviceId, promoCode, codeIdentity, ...token };
      const requestDate = DATES[date] ?? '';
      const event = eventOf('user', { clientId, requestDate, receivedAt: requested.at, ...others });
      const MessageBody = JSON.stringify(event);
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
      await deliverLater();
    }
    for (const one of requests.slice(waiting.length)) {
      later(one.source, one.faults, () => apply(one));
    }
    for (const happening of scenario.happenings) {
      const faults = happening === 'erase' ? [...scenario.erasureFaults] : [];
      later(happening, faults, HAPPENINGS[happening]);
    }
    await finish(async () => {
      await observe();
      for (; queued > 0; queued--) await deliverLater();
    });

    // The faults are over.
    if (scenario.happenings.includes('erase')) await erase();
    await observe();
    while (await receive());
    for (const record of received.values()) {
      await deliver(record);
      await observe();
    }
    expect([...received.values()], 'messages that are left').toEqual([]);
    for (const one of requests) expectTrue(one, seen, erasedAt);
    const left = [...before.values()];
    expect(
      left.filter(({ receivedAt }) => receivedAt < erasedAt),
      'erased',
    ).toEqual([]);
    if (removals > 0) return;
    const stored = left.map(({ codeIdentity, requestDate }) => `${codeIdentity} ${requestDate}`);
    expect(new Set(stored).size, 'a request is stored twice').toBe(stored.length);
    const told = requests.filter((one) => one.told === 'applied');
    const codeOf = ({ promoCode }: Requested) => identityWithoutCase(promoCode);
    const codes = new Set(told.map(codeOf));
    const applications = new Set(told.map((one) => `${codeOf(one)} ${one.date}`));
    expect(applications.size, 'a code is applied twice').toBe(codes.size);
  }

  /** Records the changes of a client. */
  async function changes(s: fc.Scheduler, scenario: ChangeScenario): Promise<void> {
    const clientId = await newRun(s);
    const image = (content: number) => ({
      clientId: { S: clientId },
      appIds: { SS: ['key'] },
      fields: { L: [] },
      lastFieldId: { N: String(content) },
    });
    const records = Array.from({ length: scenario.changes }, (_, index) => ({
      eventID: `${clientId} ${index}`,
      eventSourceARN: 'stream',
      dynamodb: {
        Keys: { clientId: { S: clientId } },
        SequenceNumber: String(FIRST_SEQUENCE_NUMBER + BigInt(index)),
        ApproximateCreationDateTime: Date.now() / 1000,
        ...(index > 0 && { OldImage: image(index - 1) }),
        NewImage: image(index),
      },
    }));
    /** The records before this one are never delivered again. */
    let delivered = 0;
    let before: readonly Version[] = [];
    let givenUp: string | undefined;

    async function observe(): Promise<void> {
      const most = 2 * MOST_CHANGES;
      const now = (await newestVersions(tables.configurations, clientId, most)).toReversed();
      expect(now.slice(0, before.length), 'a version changes').toEqual(before);
      before = now;
    }

    async function invoke(): Promise<void> {
      const event = { Records: records.slice(delivered) } as unknown as DynamoDBStreamEvent;
      const { batchItemFailures } = await functions.record(event, CONTEXT);
      const failed = records.findIndex(
        ({ dynamodb }) => dynamodb.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
      );
      delivered = Math.max(delivered, failed >= 0 ? failed : records.length);
    }

    // An invocation that Lambda gave up still runs.
    for (const [index, faults] of scenario.invocations.entries()) {
      later(`invocation ${index + 1}`, [...faults], invoke);
    }
    // The next record shows what was lost.
    if (scenario.losesRecord) {
      later('Lambda gives up a record', [], async () => {
        if (delivered < records.length - 1) givenUp = records[delivered++]?.eventID;
      });
    }
    await finish(observe);
    if (delivered < records.length) await invoke();
    await observe();
    const history = await historyOf(tables.configurations, clientId);
    expect(
      history.map(({ version, content }) => [version, content.lastFieldId?.N]),
      'the history has each change once',
    ).toEqual(records.map((_, index) => [index + 1, String(index)]));
    const own = history.filter(
      ({ eventId }) => eventId !== givenUp && !eventId.endsWith(RECORDED_BY_NEXT),
    );
    expect(
      own.filter(({ version }) => !told.has(version)),
      'the news of a version is lost',
    ).toEqual([]);
  }

  return {
    promoEvents,
    changes,
    stop: async () => {
      prototype.handle = handle;
      sqs.destroy();
      await Promise.all([functions.stop(), tables.stop(), queues.stop()]);
    },
  };
}

function refusal(): Awaited<ReturnType<Handle>> {
  return answered('{"__type":"AccessDeniedException"}', 400);
}

function answered(text: string, statusCode = 200): Awaited<ReturnType<Handle>> {
  const response = { statusCode, headers: {}, body: Readable.from([Buffer.from(text)]) };
  return { response } as unknown as Awaited<ReturnType<Handle>>;
}

/** The news in a call of the bus, or in a dead letter; undefined in other calls. */
function newsIn({
  Entries: [entry] = [],
  MessageBody = '{}',
}: {
  readonly Entries?: readonly { readonly Detail: string }[];
  readonly MessageBody?: string;
}) {
  const detail = entry ? JSON.parse(entry.Detail) : JSON.parse(MessageBody).detail;
  return detail?.configurationVersion === undefined ? undefined : detail;
}

/** As long as AWS's. As JavaScript numbers, it and the following ones are equal. */
const FIRST_SEQUENCE_NUMBER = 10n ** 21n - 3n;
const MOST_CHANGES = 4;

type Happening = 'expire' | 'erase';

interface PromoRequest {
  readonly date: string;
  readonly promoCode: string;
  readonly promoCodeToken: string | undefined;
  /** The device of a message: nothing, if the function that queued it stores none. */
  readonly waitingDevice: string;
  readonly faults: readonly Decision[];
}

interface PromoScenario {
  readonly calls: readonly PromoRequest[];
  /** Those that are in the queue at the beginning. */
  readonly waiting: readonly PromoRequest[];
  readonly isDeliveredTwice: boolean;
  readonly happenings: readonly Happening[];
  /** The faults of an erasure. */
  readonly erasureFaults: readonly Decision[];
}

interface ChangeScenario {
  readonly changes: number;
  /** The faults of each invocation. */
  readonly invocations: readonly (readonly Decision[])[];
  /** True if Lambda gives up a record, which an invocation may still be recording. */
  readonly losesRecord: boolean;
}

interface Item extends Readonly<Record<string, unknown>> {
  readonly eventId: string;
  readonly kind: string;
  readonly promoCode: string;
  readonly codeIdentity: string;
  readonly requestDate: string;
  readonly receivedAt: string;
}

/** An item that was in the table at a step. */
interface Seen {
  readonly step: number;
  readonly item: Item;
}

/** A request, what the app was told, and between which steps. */
interface Requested extends PromoRequest {
  readonly faults: Decision[];
  readonly source: string;
  readonly deviceId: string;
  began: number;
  ended: number;
  told: string;
  /** It was received at this time or later. */
  at: string;
}

const faults = fc.array(fc.constantFrom<Decision>('take', 'refuse', 'lose'), { maxLength: 4 });

const promoRequest: fc.Arbitrary<PromoRequest> = fc.record({
  date: fc.constantFrom('monday', 'tuesday'),
  // The client ignores their case.
  promoCode: fc.constantFrom('A', 'A', 'a', 'B'),
  promoCodeToken: fc.constantFrom(undefined, 'token 1', 'token 2'),
  waitingDevice: fc.constantFrom('', 'another device'),
  faults,
});

export const promoScenario: fc.Arbitrary<PromoScenario> = fc.record({
  calls: fc.array(promoRequest, { minLength: 1, maxLength: 3 }),
  waiting: fc.array(promoRequest, { maxLength: 2 }),
  isDeliveredTwice: fc.boolean(),
  happenings: fc.uniqueArray(fc.constantFrom<Happening>('expire', 'erase')),
  erasureFaults: faults,
});

/** A version is written, and neither the bus nor its dead-letter queue takes the news. */
const untold = fc.constant<Decision[]>(['take', 'take', 'refuse', 'refuse']);

export const changeScenario: fc.Arbitrary<ChangeScenario> = fc.record({
  changes: fc.integer({ min: 1, max: MOST_CHANGES }),
  invocations: fc.array(fc.oneof(faults, untold), { minLength: 1, maxLength: 3 }),
  losesRecord: fc.boolean(),
});

/** An item is that of one request, with its token, its device and its expiry. */
function expectWhole(item: Item, requests: readonly Requested[]): void {
  const own = requests.find(({ source }) => source === item.source);
  expect(item, 'an item of a request').toEqual(
    expect.objectContaining({
      promoCode: own?.promoCode,
      codeIdentity: identityWithoutCase(own?.promoCode ?? ''),
      deviceId: own?.deviceId,
      requestDate: DATES[own?.date ?? ''],
      expiresAt: Math.floor(Date.parse(item.receivedAt) / 1000) + RETENTION_DAYS * 86_400,
    }),
  );
  expect(item.promoCodeToken, 'the token of an item').toBe(own?.promoCodeToken);
}

/**
 * Expects that the app was told the truth. A queued code is stored in the end, unless it was
 * erased.
 */
function expectTrue(request: Requested, seen: readonly Seen[], erasedAt: string): void {
  const { source, date, promoCode, began, ended, told, at } = request;
  const wasSeen = (isOwn: boolean, kind: string, [from, to] = [began, ended]) =>
    seen.some(
      ({ step, item }) =>
        step >= from &&
        step <= to &&
        item.codeIdentity === identityWithoutCase(promoCode) &&
        item.kind.match(kind) &&
        isOwn === (item.requestDate === DATES[date]),
    );
  const message = `${source} was told ${told}`;
  if (told === 'applied') expect(wasSeen(true, 'applied'), message).toBe(true);
  if (told === 'repeated') {
    expect(wasSeen(true, 'repeated'), message).toBe(true);
    expect(wasSeen(false, 'applied'), message).toBe(true);
  }
  if (told === 'queued' && at >= erasedAt) {
    expect(wasSeen(true, '', [began, Infinity]), message).toBe(true);
  }
}
