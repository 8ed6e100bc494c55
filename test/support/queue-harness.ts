import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { appliedEventId, type PromoEvent } from '../../core/promo-events/promo-event.ts';
import { databaseClient, queueClient } from '../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../local/database.ts';
import { close, listen } from '../../local/listen.ts';
import { startQueues } from '../../local/queues.ts';
import { OUTPUTS, queueUrl } from './outputs.ts';

const TABLE = 'PromoEvents';

/** The queue, its dead letters, and those of the event bus. */
const QUEUES = ['queue', 'dead-letters', 'bus-dead-letters'] as const;
type QueueName = (typeof QUEUES)[number];

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
 * Starts real queues and a real table, with a proxy in front of the queues that refuses messages and fails calls. No function
 * stores what is in the queue.
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
  const bodies = new Map<string, string>();

  const harness = {
    /** A client of the queues that the proxy does not see. */
    sqs,
    /** Whether SQS refuses a message of a batch and accepts the others. */
    refuses: (_call: QueueCall, _body: string): boolean => false,
    /** Whether a whole call fails. */
    fails: (_call: QueueCall): boolean => false,
    outputs: { ...OUTPUTS, DynamoDbEndpoint: database.endpoint, SqsEndpoint: '' },
    send: async (queue: QueueName, ...messages: (PromoEvent | string)[]) => {
      for (const message of messages) {
        const MessageBody = typeof message === 'string' ? message : JSON.stringify(message);
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody }));
      }
    },
    store: async (...events: PromoEvent[]) => {
      for (const event of events) {
        const Item = { ...event, eventId: appliedEventId(event) };
        await dynamodb.send(new PutCommand({ TableName: TABLE, Item }));
      }
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
    if (harness.fails(call)) {
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
      // The embedded SQS has one server, so long polling is not needed.
      request.WaitTimeSeconds = 0;
    }
    // SQS refuses an empty batch.
    const isAllRefused = entries.length > 0 && accepted.length === 0;
    const { status, body } = isAllRefused
      ? { status: 200, body: { Successful: [] } }
      : await passOn(target, { ...request, ...(entries.length > 0 && { Entries: accepted }) });
    for (const { ReceiptHandle, Body } of body.Messages ?? []) bodies.set(ReceiptHandle, Body);
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

  const proxy = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  harness.outputs.SqsEndpoint = await listen(proxy);
  return harness;
}
