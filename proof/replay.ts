import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import { Messages } from '../admin/promo-events/sqs-queue.ts';
import { redrive } from '../cli/commands/queue/redrive.ts';
import type { Outputs } from '../cli/deployment/outputs.ts';
import { applyPromoCode } from '../functions/apply-promo-code/operation.ts';
import { queueClient } from '../local/aws-clients.ts';
import { createJwksServer } from '../local/cognito/issuer.ts';
import { startQueues } from '../local/events/queues.ts';
import { callInProcess } from '../local/in-process.ts';
import { close, listen } from '../local/listen.ts';
import { startFunction, stubEnvironment, testIssuer } from '../test/support/started-function.ts';
import { startTables } from '../test/support/tables.ts';
import { describeState, type Path } from './paths.ts';
import type { TlaValue } from './tla-value.ts';

/*
 * Replays paths of the model on the functions and the redrive, with the embedded table and queue. All of their calls of AWS
 * arrive at a gate, which holds each write until the path says what becomes of it. So a path decides every interleaving.
 */

/** What becomes of a held call: it succeeds, it fails, or it succeeds and the caller does not learn it. */
type Decision = 'take' | 'refuse' | 'lose';

/** A call that waits at the gate for a decision. */
interface Held {
  readonly operation: string;
  readonly decide: (decision: Decision) => void;
}

/** Something that runs: a function, or a redrive. */
interface Run {
  /** Its write that waits for a decision. */
  held?: Held | undefined;
  /** Writes of the same kind get the same decision: the SDK retries what failed. */
  decided?: { readonly operation: string; readonly decision: Decision } | undefined;
  done?: Promise<unknown> | undefined;
}

/** A call of the model, with its own queues, so that its message is the only one in them. */
interface Call {
  readonly date: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** ApplyPromoCode, and later the function that stores its message. */
  readonly function: Run;
  readonly redrive: Run;
  told: string;
  /** What became of the message that was received last: nothing yet, stored, or hidden. */
  at: '' | 'stored' | 'hidden';
  received?: Message | undefined;
}

const DATES: Readonly<Record<string, string>> = {
  monday: '2026-11-23T09:00:00.000Z',
  tuesday: '2026-11-24T09:00:00.000Z',
};
/** Each timeout of the service is at least this long, and each backoff is shorter. */
const SHORTEST_TIMEOUT_MS = 500;
/** No message returns by itself. */
const HOURS = '43200';
const CONTEXT = { getRemainingTimeInMillis: () => 20_000 } as Context;
const STEPS: Readonly<Record<string, string>> = {
  ...{ UpdateItem: 'apply', PutItem: 'repeat', SendMessage: 'queue' },
};
const WRITES = [...Object.keys(STEPS), 'DeleteMessageBatch'];
const FAULTS = ['reset', 'AccessDeniedException', 'InternalServerError'] as const;

export type Replay = Awaited<ReturnType<typeof startReplay>>;

/** Starts what paths are replayed on. */
export async function startReplay() {
  const tables = await startTables();
  const queues = await startQueues([]);
  const sqs = queueClient(queues.endpoint);
  const documentClient = DynamoDBDocumentClient.from(tables.dynamodb);
  let calls: Call[] = [];
  let faults = 0;
  /** Wakes those that wait until a call is held or done. */
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  /** Sends a call of AWS on, and its response back. */
  async function forward(incoming: IncomingMessage, body: Buffer, response?: ServerResponse) {
    const isQueue = String(incoming.headers['x-amz-target']).startsWith('AmazonSQS');
    const answer = isQueue
      ? await callInProcess(queues.server, incoming.headers, body)
      : await callTable(incoming, body);
    response?.writeHead(answer.status, answer.headers as never).end(answer.body);
  }

  async function callTable(incoming: IncomingMessage, body: Buffer) {
    const { host, ...headers } = incoming.headers;
    const sent = await fetch(tables.endpoint, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    const bytes = Buffer.from(await sent.arrayBuffer());
    return {
      status: sent.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: bytes,
    };
  }

  /** A fault that means the same to the model. The next one is of another kind. */
  function fail(response: ServerResponse): void {
    const fault = FAULTS[faults++ % FAULTS.length];
    if (fault === 'reset') response.destroy();
    else
      response
        .writeHead(fault === 'InternalServerError' ? 500 : 400, {})
        .end(`{"__type":"${fault}"}`);
  }

  const gate = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']).replace(/.*\./, '');
    const body = await buffer(incoming);
    const request = JSON.parse(body.toString());
    const call = callOf(calls, request);
    if (operation === 'GetItem') return forward(incoming, body, response);
    // A redrive goes on with what became a dead letter in the meantime. In a path, the next one does.
    if (operation === 'ReceiveMessage' && call?.redrive.decided) return response.end('{}');
    if (!call || !WRITES.includes(operation)) {
      // Nobody else sends messages: nothing to wait for.
      const quick = { ...request, ...('WaitTimeSeconds' in request && { WaitTimeSeconds: 0 }) };
      return forward(incoming, Buffer.from(JSON.stringify(quick)), response);
    }
    const toOwnQueue =
      operation === 'SendMessage' ? { ...request, QueueUrl: call.queueUrl } : request;
    const run = operation === 'DeleteMessageBatch' ? call.redrive : call.function;
    const isRetry = run.decided?.operation === operation;
    const decision =
      run.decided?.operation === operation
        ? run.decided.decision
        : await new Promise<Decision>((resolve) => {
            run.held = { operation, decide: resolve };
            notify();
          });
    run.decided = { operation, decision };
    if (decision === 'take' || (decision === 'lose' && !isRetry)) {
      const taken = Buffer.from(JSON.stringify(toOwnQueue));
      await forward(incoming, taken, decision === 'take' ? response : undefined);
    }
    if (decision !== 'take') fail(response);
  });
  const issuer = testIssuer();
  const keySet = createJwksServer(issuer);
  const [url, keySetUrl] = [await listen(gate), await listen(keySet)];
  stubEnvironment(issuer, keySetUrl, url);
  vi.stubEnv('CONFIGS_TABLE_NAME', tables.configurations.configsTableName);
  vi.stubEnv('PROMO_EVENTS_TABLE_NAME', tables.promoEventsTableName);
  vi.stubEnv('USER_ID_CLAIM', 'none');
  vi.stubEnv('REQUEST_DATE_WINDOW_SECONDS', String(10 * 365 * 86_400));
  await tables.clients.put('demo', { appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
  const apply = await startFunction(applyPromoCode, issuer);
  const { handler: store } = (await import(
    '../functions/store-queued-promo-events/handler.ts'
  )) as {
    handler: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;
  };
  const { setTimeout: realTimeout } = globalThis;
  // Time stands still: no timeout ends, and a backoff takes no time.
  vi.stubGlobal('setTimeout', (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms < SHORTEST_TIMEOUT_MS ? realTimeout(run, 0, ...args) : realTimeout(run, 2 ** 31 - 1).unref(),
  );

  /** Starts something, and waits until it is done or a write of it is held. */
  async function start(run: Run, work: Promise<unknown>): Promise<void> {
    run.decided = undefined;
    const end = () => {
      run.done = undefined;
      notify();
    };
    // A redrive fails when its calls do.
    run.done = work.then(end, end);
    await untilHeldOrDone(run);
  }

  async function decide(run: Run, decision: Decision): Promise<void> {
    const { held } = run;
    if (!held) throw new Error('No write is held.');
    run.held = undefined;
    held.decide(decision);
    await untilHeldOrDone(run);
  }

  async function untilHeldOrDone(run: Run): Promise<void> {
    while (run.done && !run.held) await changed.promise;
  }

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
    const runs = { function: {}, redrive: {} };
    return { date, queueUrl, deadLetterQueueUrl, ...runs, told: 'nothing', at: '' };
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
    await start(call.function, stored);
  }

  const released = (QueueUrl: string, ReceiptHandle: string | undefined) =>
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));

  /** Deletes one of two equal dead letters: the model does not count them. */
  async function mergeLetters({ deadLetterQueueUrl: QueueUrl }: Call): Promise<void> {
    const { waiting } = await new Messages(sqs, QueueUrl).count();
    if (waiting < 2) return;
    const { ReceiptHandle } = (await receive(QueueUrl)) ?? {};
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }

  /** What happens in the service for an action of the model. */
  async function act(user: string, action: string, number: number, date: string): Promise<void> {
    if (action === 'Send') {
      const sent = await createCall(user, number, date);
      calls.push(sent);
      const more = { userId: user, source: `call ${number}` };
      const result = apply({ more, requestDate: DATES[date] }).then(({ statusCode, data }) => {
        sent.told = statusCode === 200 ? data.outcome : 'failed';
      });
      return start(sent.function, result);
    }
    const call = calls[number - 1];
    if (!call) throw new Error(`There is no call ${number}.`);
    const { queueUrl, deadLetterQueueUrl, received } = call;
    const decision = /Takes$|^RedriveDeletes$/.test(action)
      ? 'take'
      : /Refuses$|^RedriveDies$/.test(action)
        ? 'refuse'
        : 'lose';
    switch (action) {
      case 'Receive':
        call.received = await receive(queueUrl);
        return storeReceived(call);
      case 'Delete':
        await sqs.send(
          new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: received?.ReceiptHandle }),
        );
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
      case 'RedriveSends': {
        const outputs = {
          PromoEventsQueueUrl: queueUrl,
          PromoEventsDeadLetterQueueUrl: deadLetterQueueUrl,
          SqsEndpoint: url,
        } as Outputs;
        const nothing = () => {};
        const progress = () => ({ show: nothing, [Symbol.dispose]: nothing });
        const { signal } = new AbortController();
        const options = { move: true, json: true, print: nothing, note: nothing, signal, progress };
        return start(call.redrive, redrive(outputs, options));
      }
      case 'RedriveDeletes':
        return decide(call.redrive, decision);
      case 'RedriveDies':
        await decide(call.redrive, decision);
        return mergeLetters(call);
      default:
        return decide(call.function, decision);
    }
  }

  /** The items of a user, in the form of the model's. */
  async function observeTable(user: string): Promise<TlaValue[]> {
    const { Items = [] } = await documentClient.send(
      new QueryCommand({
        TableName: tables.promoEventsTableName,
        KeyConditionExpression: 'clientId = :client AND begins_with(eventId, :user)',
        ExpressionAttributeValues: { ':client': 'demo', ':user': `${user}#` },
        ConsistentRead: true,
      }),
    );
    return Items.map(({ kind, requestDate, source }) => ({
      kind,
      date: Object.keys(DATES).find((name) => DATES[name] === requestDate) ?? '?',
      by: numberOf(source),
    }));
  }

  /** The messages of a call, in the form of the model's. */
  async function observeMessages(call: Call, index: number): Promise<TlaValue[]> {
    const [queue, letters] = await Promise.all(
      [call.queueUrl, call.deadLetterQueueUrl].map((url) => new Messages(sqs, url).count()),
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
    const [table, ...messages] = await Promise.all([
      observeTable(user),
      ...calls.map(observeMessages),
    ]);
    const isOver = ({ told, function: { done } }: Call) => told !== 'nothing' || !done;
    return describeState({
      calls: calls.map((call) => ({
        ...{ date: call.date, at: isOver(call) ? 'over' : stepOf(call), told: call.told },
      })),
      ...{ table, messages: messages.flat() },
    });
  }

  return {
    /** Replays a path. Throws an error at the first step after which the service is not in the state of the model. */
    replay: async (path: Path, user: string): Promise<void> => {
      calls = [];
      for (const [index, { action, state }] of path.entries()) {
        const [name = '', number, date = ''] = action.split(' ');
        await act(user, name, Number(number), date);
        const observed = await observe(user);
        if (observed === state) continue;
        const steps = path.slice(0, index + 1).map((step) => step.action);
        throw new Error(`${steps.join(', ')}\nmodel:   ${state}\nservice: ${observed}`);
      }
      for (const call of calls) {
        // What still runs ends: the rest of its calls is refused.
        for (const run of [call.function, call.redrive]) {
          while (run.done) await decide(run, 'refuse');
        }
        for (const QueueUrl of [call.queueUrl, call.deadLetterQueueUrl]) {
          await sqs.send(new DeleteQueueCommand({ QueueUrl }));
        }
      }
    },
    stop: async () => {
      vi.unstubAllGlobals();
      vi.unstubAllEnvs();
      sqs.destroy();
      await Promise.all([tables.stop(), queues.stop(), close(gate), close(keySet)]);
    },
  };
}

/** The call whose event a request writes, or whose queue it is about. */
// biome-ignore lint/suspicious/noExplicitAny: the body of any operation
function callOf(calls: readonly Call[], request: any): Call | undefined {
  const { ExpressionAttributeValues: values, Item, MessageBody, QueueUrl } = request;
  const source =
    values?.[':source']?.S ?? Item?.source?.S ?? (MessageBody && JSON.parse(MessageBody).source);
  if (source) return calls[numberOf(source) - 1];
  return calls.find(({ deadLetterQueueUrl }) => deadLetterQueueUrl === QueueUrl);
}

/** The step of the model that a function is at: the write that is held. */
function stepOf({ function: { held } }: Call): string {
  return STEPS[held?.operation ?? ''] ?? 'lost';
}

function numberOf(source: string): number {
  return Number(source.split(' ')[1]);
}
