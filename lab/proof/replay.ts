import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { queueClient } from '../../packages/deployment/local/aws-clients.ts';
import { close } from '../../packages/deployment/local/listen.ts';
import { createTable } from '../../packages/local/dynamodb/database.ts';
import { startQueues } from '../../packages/local/events/queues.ts';
import { copyEvents } from '../../packages/on-call/promo-events/copy.ts';
import { SqsQueue } from '../../packages/on-call/promo-events/sqs-queue.ts';
import { newTable } from '../../test/support/new-table.ts';
import { startTables } from '../../test/support/tables.ts';
import { beginErasure, CONTEXT, DATES, searchAndErase, startFunctions } from './functions.ts';
import { type Decision, Gate, type Route, type Run } from './gate.ts';
import { describeState, type Path } from './paths.ts';
import type { TlaValue } from './tla-value.ts';

/*
 * Replays paths of the model on the functions, erasure and copy, with the embedded tables and
 * queue. All of their calls of AWS arrive at a gate, which holds each write until the path says
 * what becomes of it. So a path decides every interleaving. A redrive is what SQS does.
 */

/** A call of the model, with its own queues, so that its message is the only one in them. */
interface Call {
  readonly date: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** ApplyPromoCode, and later the function that stores its message. */
  readonly function: Run;
  told: string;
  /** The outcome for the message that was received last: none yet, stored, or hidden. */
  at: '' | 'stored' | 'hidden';
  received?: Message | undefined;
  /** The dead letter of which a copy was sent. */
  moved?: Message | undefined;
}

const RESTORED = 'restored';
/** No message returns by itself. */
const HOURS = '43200';
/** The requests of this date have a token. */
const WITH_TOKEN = 'wednesday';
/** A pause longer than the time between two different times of a clock. */
const TICK_MS = 2;
export type Replay = Awaited<ReturnType<typeof startReplay>>;

/** Starts what paths are replayed on. */
export async function startReplay() {
  const tables = await startTables();
  const queues = await startQueues([]);
  const sqs = queueClient(queues.endpoint);
  const documentClient = DynamoDBDocumentClient.from(tables.dynamodb);
  let calls: Call[] = [];
  /** The progress of the restore, as in the model, and the table that the functions use. */
  let restore = 'no';
  /** The time of the marker of the user. */
  let erasedAt = '';
  /** The run whose calls fail at once, while nobody can read the markers. */
  let markerReads: Run | undefined;
  const tableName = () => (restore === 'over' ? RESTORED : tables.promoEventsTableName);
  const services = { dynamodb: tables.server, sqs: queues.server };
  const gate = new Gate(services, (operation, request) =>
    request.TableName === tables.erasuresTableName
      ? { run: markerReads }
      : routeOf(calls, operation, request, tableName),
  );
  await createTable(tables.dynamodb, newTable(RESTORED, 'clientId', 'eventId'));
  await tables.clients.put('demo', { appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
  const url = await gate.listen();
  const { apply, store, stop } = await startFunctions(tables, url);

  async function createCall(user: string, index: number, date: string): Promise<Call> {
    const create = async (QueueName: string, Attributes: Record<string, string>) =>
      (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
    const name = `${user}-${index}`;
    const deadLetterQueueUrl = await create(`${name}-dead`, { VisibilityTimeout: HOURS });
    const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${name}-dead`;
    const queueUrl = await create(name, {
      VisibilityTimeout: HOURS,
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
    });
    return { date, queueUrl, deadLetterQueueUrl, function: {}, told: 'nothing', at: '' };
  }

  async function receive(QueueUrl: string): Promise<Message | undefined> {
    const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    return message;
  }

  async function storeReceived(call: Call): Promise<void> {
    const { MessageId: messageId = '', Body: body = '' } = call.received ?? {};
    const event = { Records: [{ messageId, body }] } as SQSEvent;
    const stored = store(event, CONTEXT).then(({ batchItemFailures }) => {
      call.at = batchItemFailures.length === 0 ? 'stored' : 'hidden';
    });
    await gate.start(call.function, stored);
  }

  const deleted = async (QueueUrl: string, ReceiptHandle: string | undefined) => {
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  };

  const released = (QueueUrl: string, ReceiptHandle: string | undefined) =>
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));

  /** Deletes one of two equal dead letters: the model does not count them. */
  async function mergeLetters(call: Call): Promise<void> {
    const { waiting } = await new SqsQueue(sqs, call.deadLetterQueueUrl).count();
    if (waiting > 1) await deleteLetter(call);
  }

  async function deleteLetter({ deadLetterQueueUrl: QueueUrl }: Call): Promise<void> {
    await deleted(QueueUrl, (await receive(QueueUrl))?.ReceiptHandle);
  }

  /** Erases as `user erase` does. The time of its marker differs from those of all requests. */
  async function erase(user: string, action: string): Promise<void> {
    const own = { clientId: 'demo', userId: user };
    if (action !== 'EraseBegins') {
      const table = { documentClient, tableName: tables.promoEventsTableName };
      return searchAndErase(table, own, erasedAt);
    }
    const erasures = { documentClient, tableName: tables.erasuresTableName };
    await setTimeout(TICK_MS);
    erasedAt = await beginErasure(erasures, own);
    await setTimeout(TICK_MS);
  }

  async function expire(user: string, source: string, kind: string): Promise<void> {
    const TableName = tables.promoEventsTableName;
    for (const { clientId, eventId, ...item } of await itemsOf(TableName, user)) {
      if (item.source !== source || item.kind !== kind) continue;
      await documentClient.send(new DeleteCommand({ TableName, Key: { clientId, eventId } }));
    }
  }

  /** Sends a copy of the dead letter of a call, as SQS does. */
  async function sendCopy(call: Call): Promise<void> {
    call.moved = await receive(call.deadLetterQueueUrl);
    const { Body: MessageBody } = call.moved ?? {};
    await sqs.send(new SendMessageCommand({ QueueUrl: call.queueUrl, MessageBody }));
  }

  /** The restore itself, and what `promo copy` does. It removes and copies in one run. */
  async function actOnTables(user: string, action: string): Promise<void> {
    const from = tables.promoEventsTableName;
    if (action === 'RestorePoint') {
      for (const Item of await itemsOf(from, user)) {
        await documentClient.send(new PutCommand({ TableName: RESTORED, Item }));
      }
    } else if (action === 'CopyItems') {
      const places = { documentClient, from, to: RESTORED, erasures: tables.erasuresTableName };
      const { signal } = new AbortController();
      const counts = { copied: 0, erased: 0, expired: 0, late: 0 };
      await copyEvents({ ...places, writes: true, onRead: () => {}, signal }, counts);
    }
  }

  async function itemsOf(TableName: string, user: string) {
    const query = {
      TableName,
      KeyConditionExpression: 'clientId = :client AND begins_with(eventId, :user)',
      ExpressionAttributeValues: { ':client': 'demo', ':user': `${user}#` },
      ConsistentRead: true,
    };
    const pages = await Array.fromAsync(paginateQuery({ client: documentClient }, query));
    return pages.flatMap(({ Items = [] }) => Items);
  }

  /** The effect on the service of an action of the model. */
  async function act(user: string, action: string, number: number, detail: string): Promise<void> {
    if (action === 'Send') {
      const date = detail;
      const sent = await createCall(user, number, date);
      calls.push(sent);
      const token = date === WITH_TOKEN && { promoCodeToken: 'token' };
      const more = { userId: user, source: `call ${number}`, ...token };
      const result = apply({ more, requestDate: DATES[date] }).then(({ statusCode, data }) => {
        sent.told = statusCode === 200 ? data.outcome : 'failed';
      });
      return gate.start(sent.function, result);
    }
    if (action in RESTORE) {
      restore = RESTORE[action] ?? '';
      return actOnTables(user, action);
    }
    if (action.startsWith('Erase')) return erase(user, action);
    if (action === 'ItemExpires') return expire(user, `call ${number}`, detail);
    const call = calls[number - 1];
    if (!call) throw new Error(`There is no call ${number}.`);
    const { queueUrl, received } = call;
    switch (action) {
      case 'Receive':
        call.received = await receive(queueUrl);
        return storeReceived(call);
      case 'MarkerIsUnreadable':
        call.received = await receive(queueUrl);
        markerReads = { decided: { step: 'Query', decision: 'refuse' } };
        await storeReceived(call);
        markerReads = undefined;
        return;
      case 'Delete':
        await deleted(queueUrl, received?.ReceiptHandle);
        call.at = '';
        return;
      case 'DeleteFails':
        call.at = 'hidden';
        return;
      case 'VisibilityEnds':
        await released(queueUrl, received?.ReceiptHandle);
        call.at = '';
        // The next poll moves a message that was received too often.
        await receive(queueUrl);
        return mergeLetters(call);
      case 'LetterExpires':
        return deleteLetter(call);
      case 'RedriveSends':
        return sendCopy(call);
      case 'RedriveDeletes':
        return deleted(call.deadLetterQueueUrl, call.moved?.ReceiptHandle);
      case 'RedriveRepeats':
        await released(call.deadLetterQueueUrl, call.moved?.ReceiptHandle);
        return mergeLetters(call);
      default:
        return gate.decide(call.function, decisionOf(action));
    }
  }

  /** The items of a user, in the form of the model's. */
  async function observeTable(TableName: string, user: string): Promise<TlaValue[]> {
    const items = await itemsOf(TableName, user);
    return items.map(({ kind, requestDate, source, promoCodeToken }) => ({
      kind,
      date: Object.keys(DATES).find((name) => DATES[name] === requestDate) ?? '?',
      by: numberOf(source),
      token: promoCodeToken !== undefined,
    }));
  }

  /** The messages of a call, in the form of the model's. */
  async function observeMessages(call: Call, index: number): Promise<TlaValue[]> {
    const [queue, letters] = await Promise.all(
      [call.queueUrl, call.deadLetterQueueUrl].map((url) => new SqsQueue(sqs, url).count()),
    );
    const some = (count = 0, at: string, receives: number) =>
      Array.from({ length: count }, () => ({ call: index + 1, at, receives }));
    return [
      ...some(queue?.waiting, 'waiting', 0),
      ...some(queue?.inFlight, call.at || stepOf(call), 1),
      ...some(letters?.waiting, 'dead', 0),
      ...some(letters?.inFlight, 'moved', 0),
    ];
  }

  /** Observes the state of the service, in the form of the model's. */
  async function observe(user: string): Promise<string> {
    const [table, items, ...messages] = await Promise.all([
      observeTable(tableName(), user),
      observeTable(RESTORED, user),
      ...calls.map(observeMessages),
    ]);
    const isOver = ({ told, function: { done } }: Call) => told !== 'nothing' || !done;
    return describeState({
      calls: calls.map((call) => ({
        date: call.date,
        at: isOver(call) ? 'over' : stepOf(call),
        told: call.told,
      })),
      table,
      messages: messages.flat(),
      restore: { at: restore, items },
    });
  }

  return {
    /**
     * Replays a path. Throws an error at the first step after which the service is not in the state
     * of the model.
     */
    replay: async (path: Path, user: string): Promise<void> => {
      calls = [];
      restore = 'no';
      for (const [index, { action, state }] of path.entries()) {
        const [name = '', number, detail = ''] = action.split(' ');
        await act(user, name, Number(number), detail);
        const observed = await observe(user);
        if (observed === state) continue;
        const steps = path.slice(0, index + 1).map((step) => step.action);
        throw new Error(`${steps.join(', ')}\nmodel:   ${state}\nservice: ${observed}`);
      }
      for (const call of calls) {
        // What still runs ends: the rest of its calls is refused.
        while (call.function.done) await gate.decide(call.function, 'refuse');
        for (const QueueUrl of [call.queueUrl, call.deadLetterQueueUrl]) {
          await sqs.send(new DeleteQueueCommand({ QueueUrl }));
        }
      }
    },
    stop: async () => {
      sqs.destroy();
      await Promise.all([stop(), tables.stop(), queues.stop(), close(gate.server)]);
    },
  };
}

/** The progress of the restore after each of its actions. */
const RESTORE: Readonly<Record<string, string>> = {
  RestorePoint: 'point',
  Freeze: 'frozen',
  EraseAgain: 'erased',
  CopyItems: 'copied',
  Switch: 'over',
};

function decisionOf(action: string): Decision {
  if (action.endsWith('Takes')) return 'take';
  return action.endsWith('Refuses') ? 'refuse' : 'lose';
}

/**
 * The decision of the gate about a call of AWS: it holds the writes of events.
 */
function routeOf(
  calls: readonly Call[],
  operation: string,
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request of any operation
  request: any,
  tableName: () => string,
): Route {
  const { ExpressionAttributeValues: values, Item, MessageBody } = request;
  switch (operation) {
    case 'UpdateItem':
    case 'PutItem': {
      const source = Item?.source ?? values[':source'];
      const { function: run, date } = calls[numberOf(source.S) - 1] ?? {};
      const isAsking = date === WITH_TOKEN && !values?.[':promoCodeToken'];
      const step = Item ? 'repeat' : isAsking ? 'ask' : 'apply';
      return { run, step, request: () => ({ ...request, TableName: tableName() }) };
    }
    case 'SendMessage': {
      const { function: run, queueUrl } = calls[numberOf(JSON.parse(MessageBody).source) - 1] ?? {};
      return { run, step: 'queue', request: () => ({ ...request, QueueUrl: queueUrl }) };
    }
    default:
      return {};
  }
}

/** The step of the model that a function is at: the write that is held. */
function stepOf({ function: { held } }: Call): string {
  return held?.step ?? 'lost';
}

function numberOf(source: string): number {
  return Number(source.split(' ')[1]);
}
