import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { appliedEventId, type PromoEvent } from '../../core/promo-events/promo-event.ts';
import { databaseClient, queueClient } from '../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../local/database.ts';
import { close, listen } from '../../local/listen.ts';
import { startQueues } from '../../local/queues.ts';
import { OUTPUTS, queueUrl } from './outputs.ts';

const TABLE = 'PromoEvents';
const CONFIGS = 'Configs';
const VERSIONS = 'ConfigVersions';

/** The queue, its dead letters, and those of the event bus. */
const QUEUES = ['queue', 'dead-letters', 'bus-dead-letters'] as const;
export type QueueName = (typeof QUEUES)[number];

/** A batch call, or a message of one, on its way to SQS. */
export interface QueueCall {
  readonly operation: 'receive' | 'send' | 'delete' | 'release' | 'count';
  readonly queue: QueueName;
}

const OPERATIONS: Readonly<Record<string, QueueCall['operation']>> = {
  ReceiveMessage: 'receive',
  SendMessageBatch: 'send',
  DeleteMessageBatch: 'delete',
  ChangeMessageVisibilityBatch: 'release',
  GetQueueAttributes: 'count',
};

interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly ReceiptHandle?: string;
}

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * Starts real queues and real tables, with a proxy in front of the queues that refuses messages, fails calls, and logs
 * what was done. No function stores what is in the queue.
 */
export async function startHarness() {
  const queues = await startQueues(
    // Without a timeout of their own, so that no test waits for it. Those who receive choose one.
    QUEUES.map((queueName) => ({ queueName, attributes: { VisibilityTimeout: '0' } })),
  );
  const database = await startDatabase(
    await embeddedDynamoDb(),
    [
      {
        tableName: CONFIGS,
        keySchema: [{ AttributeName: 'clientId', KeyType: 'HASH' }],
        attributeDefinitions: [{ AttributeName: 'clientId', AttributeType: 'S' }],
      },
      {
        tableName: VERSIONS,
        keySchema: [
          { AttributeName: 'clientId', KeyType: 'HASH' },
          { AttributeName: 'version', KeyType: 'RANGE' },
        ],
        attributeDefinitions: [
          { AttributeName: 'clientId', AttributeType: 'S' },
          { AttributeName: 'version', AttributeType: 'N' },
        ],
      },
      {
        tableName: TABLE,
        keySchema: [
          { AttributeName: 'clientId', KeyType: 'HASH' },
          { AttributeName: 'eventId', KeyType: 'RANGE' },
        ],
        attributeDefinitions: [
          { AttributeName: 'clientId', AttributeType: 'S' },
          { AttributeName: 'eventId', AttributeType: 'S' },
        ],
      },
    ],
    '',
    [],
  );
  const sqs = queueClient(queues.endpoint);
  const dynamodb = DynamoDBDocumentClient.from(databaseClient(database.endpoint));
  const held: { QueueUrl: string; ReceiptHandle: string | undefined }[] = [];
  const bodies = new Map<string, string>();

  const harness = {
    /** A client of the queues that the proxy does not see. */
    sqs,
    /** What SQS did: `send queue <body>`, in this order. */
    log: [] as string[],
    /** The parameters of each call that receives. */
    receives: [] as unknown[],
    /** The parameters of each query of the table. */
    queries: [] as unknown[],
    /** Whether SQS refuses a message of a batch and accepts the others. */
    refuses: (_call: QueueCall, _body: string): boolean => false,
    /** Called before a call reaches SQS. */
    before: async (_call: QueueCall): Promise<void> => {},
    /** Whether a whole call fails. */
    fails: (_call: QueueCall): boolean => false,
    outputs: { ...OUTPUTS, DynamoDbEndpoint: database.endpoint, SqsEndpoint: '' },
    send: async (queue: QueueName, ...messages: (PromoEvent | string)[]) => {
      for (const message of messages) {
        const MessageBody = typeof message === 'string' ? message : JSON.stringify(message);
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody }));
      }
    },
    /** Receives and keeps every message that can be received now. Messages in flight are not among them. */
    drain: async (queue: QueueName): Promise<string[]> => {
      const found: string[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({
            ...{ QueueUrl: queueUrl(queue), MaxNumberOfMessages: 10, VisibilityTimeout: 600 },
          }),
        );
        if (Messages.length === 0) return found.sort();
        found.push(...Messages.map(({ Body = '' }) => Body));
      }
    },
    /** Receives one message and deletes it, as the function does that stores it. */
    take: async (queue: QueueName) => {
      const QueueUrl = queueUrl(queue);
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }),
      );
      for (const { ReceiptHandle } of Messages) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    },
    /** Receives one message, which returns to the queue after the given time. */
    hold: async (queue: QueueName, VisibilityTimeout: number) => {
      const QueueUrl = queueUrl(queue);
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout }),
      );
      for (const { ReceiptHandle } of Messages) held.push({ QueueUrl, ReceiptHandle });
    },
    /** Returns the held messages to their queues. */
    releaseHeld: async () => {
      for (const message of held.splice(0)) {
        await sqs.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
      }
    },
    /** Deletes the held messages, as the function does with those that it has stored. */
    dropHeld: async () => {
      for (const message of held.splice(0)) await sqs.send(new DeleteMessageCommand(message));
    },
    /**
     * Returns the dead letter with a body to its queue if a command has it in flight, as the visibility timeout does. The
     * result is how often it was received.
     */
    expire: async (body: string): Promise<number> => {
      const handles = [...bodies].flatMap(([handle, one]) => (one === body ? [handle] : []));
      const entry = { Id: '0', ReceiptHandle: handles.at(-1), VisibilityTimeout: 0 };
      // A batch call does not fail if the message is not in flight.
      if (handles.length > 0) {
        const QueueUrl = queueUrl('dead-letters');
        await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: [entry] }));
      }
      return handles.length;
    },
    addClient: (clientId: string) =>
      dynamodb.send(new PutCommand({ TableName: CONFIGS, Item: { clientId } })),
    removeClient: (clientId: string) =>
      dynamodb.send(new DeleteCommand({ TableName: CONFIGS, Key: { clientId } })),
    /** Adds the history of a client. */
    addVersion: (clientId: string) =>
      dynamodb.send(new PutCommand({ TableName: VERSIONS, Item: { clientId, version: 1 } })),
    store: async (...events: PromoEvent[]) => {
      for (const event of events) {
        const Item = { ...event, eventId: appliedEventId(event) };
        await dynamodb.send(new PutCommand({ TableName: TABLE, Item }));
      }
    },
    stored: async (): Promise<string[]> => {
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: TABLE }));
      return Items.map(({ clientId, userId }) => `${clientId} ${userId}`).sort();
    },
    stop: async () => {
      await close(proxy);
      await queues.stop();
      sqs.destroy();
      dynamodb.destroy();
      await close(database.server);
    },
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = JSON.parse((await buffer(incoming)).toString());
    const target = String(incoming.headers['x-amz-target']);
    const operation = OPERATIONS[target.replace(/.*\./, '')];
    if (!operation) throw new Error(`The commands should not call ${target}.`);
    const queue = String(request.QueueUrl).replace(/.*\//, '') as QueueName;
    const call: QueueCall = { operation, queue };
    const headers = { 'Content-Type': 'application/x-amz-json-1.0' };
    await harness.before(call);
    if (operation === 'count') harness.log.push(`counted ${queue}`);
    if (harness.fails(call)) {
      harness.log.push(`failed ${operation} ${queue}`);
      const error = { __type: 'com.amazonaws.sqs#AccessDeniedException', message: 'Not\nallowed.' };
      response.writeHead(400, headers).end(JSON.stringify(error));
      return;
    }
    const entries: Entry[] = request.Entries ?? [];
    const bodyOf = ({ MessageBody, ReceiptHandle = '' }: Entry) =>
      MessageBody ?? bodies.get(ReceiptHandle) ?? '';
    const refused = entries.filter((entry) => harness.refuses(call, bodyOf(entry)));
    const accepted = entries.filter((entry) => !refused.includes(entry));
    if (operation === 'receive') {
      harness.receives.push({ ...request });
      // The embedded SQS has one server, so long polling is not needed.
      request.WaitTimeSeconds = 0;
    }
    // SQS refuses an empty batch.
    const isAllRefused = entries.length > 0 && accepted.length === 0;
    const { status, body } = isAllRefused
      ? { status: 200, body: { Successful: [] } }
      : await passOn(target, { ...request, ...(entries.length > 0 && { Entries: accepted }) });
    for (const { ReceiptHandle, Body } of body.Messages ?? []) bodies.set(ReceiptHandle, Body);
    for (const entry of accepted) harness.log.push(`${operation} ${queue} ${bodyOf(entry)}`);
    const failed = refused.map(({ Id }) => ({
      ...{ Id, SenderFault: false, Code: 'InternalError', Message: 'Try again.' },
    }));
    const Failed = [...(body.Failed ?? []), ...failed];
    response
      .writeHead(status, headers)
      .end(JSON.stringify(entries.length > 0 ? { ...body, Failed } : body));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a response of SQS, passed on unchanged
  async function passOn(target: string, request: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(queues.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': target },
      body: JSON.stringify(request),
    });
    return { status: response.status, body: await response.json() };
  }

  database.server.prependListener('request', (incoming: IncomingMessage) => {
    if (!String(incoming.headers['x-amz-target']).endsWith('.Query')) return;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => harness.queries.push(JSON.parse(Buffer.concat(chunks).toString())));
  });
  const proxy = createServer((incoming, response) => {
    answer(incoming, response).catch((error) => {
      harness.log.push(`${error}`);
      response.destroy();
    });
  });
  harness.outputs.SqsEndpoint = await listen(proxy);
  return harness;
}
