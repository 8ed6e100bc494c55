import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DeadLetter } from 'customer-data-api/events';
import {
  appliedEventId,
  PROMO_EVENTS_SOURCE,
  type PromoEvent,
  publishedEvent,
} from 'customer-data-api/promo-events';
import type { Given, Input } from 'customer-data-api/testing/aws';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { PROMO_REQUEST } from 'customer-data-api/testing/service';
import type { Desk } from './desk.ts';

/** The queue of promo events, its dead letters, and the same of the event bus. */
export type QueueName = 'queue' | 'deadLetters' | 'busQueue' | 'busDeadLetters';

/** Events in a scenario that concern promo events and messages, besides its commands. */
export async function queuesOf({ service, receive, received }: Desk) {
  const { outputs, sqs } = service;
  const urls: Readonly<Record<QueueName, string>> = {
    queue: outputs.PromoEventsQueueUrl,
    deadLetters: outputs.PromoEventsDeadLetterQueueUrl,
    busQueue: outputs.PromoEventsBusQueueUrl,
    busDeadLetters: outputs.PromoEventsBusDeadLetterQueueUrl,
  };
  const send = async (queue: QueueName, ...messages: (object | string)[]) => {
    for (const message of messages) {
      const MessageBody = typeof message === 'string' ? message : JSON.stringify(message);
      await sqs.send(new SendMessageCommand({ QueueUrl: urls[queue], MessageBody }));
    }
  };
  /** Lets a message be received again. It does nothing if the message is not in flight. */
  const expire = async (queue: QueueName, receipt: unknown) => {
    const entry = { Id: '0', ReceiptHandle: String(receipt), VisibilityTimeout: 0 };
    await sqs.send(
      new ChangeMessageVisibilityBatchCommand({ QueueUrl: urls[queue], Entries: [entry] }),
    );
  };
  const put = (Item: object) =>
    service.documentClient.send(new PutCommand({ TableName: outputs.PromoEventsTableName, Item }));
  /** The events that the bus has received. */
  // biome-ignore lint/suspicious/noExplicitAny: the details of events have many shapes
  const published = async (): Promise<any[]> => {
    const text = await readFile(join(service.folder, 'events.jsonl'), 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return {
    urls,
    send,
    put,
    published,
    /** Stores events, as the function does that takes them from the queue. */
    store: async (...events: readonly Omit<PromoEvent, 'receivedAt'>[]) => {
      for (const event of events) {
        await put({ ...event, eventId: appliedEventId(event), kind: 'applied' });
      }
    },
    /** Applies a promo code, as an app does. */
    apply: async (userId: string, promoCode: string) => {
      const body = { ...PROMO_REQUEST, userId, promoCode };
      await service.applyPromoCode({ token: { user: userId }, body });
    },
    /** The dead letter of the event of a user's item. */
    letterOf: (userId: string): DeadLetter => ({
      source: PROMO_EVENTS_SOURCE,
      time: '2026-11-20T09:30:00.000Z',
      reason: 'The bus could not take it.',
      ...publishedEvent(itemOf(userId)),
    }),
    /** Receives one message, which nobody else can receive until the returned function runs. */
    hold: async (queue: QueueName) => {
      const QueueUrl = urls[queue];
      const { Messages: [{ ReceiptHandle } = {}] = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }),
      );
      return () => expire(queue, ReceiptHandle);
    },
    /**
     * Returns a message that a command has in flight to its queue, as the visibility timeout does.
     * Returns how often it was received.
     */
    returnAgain: async (queue: QueueName, body: string) => {
      const handles = [...received].flatMap(([handle, one]) => (one === body ? [handle] : []));
      if (handles.length > 0) await expire(queue, handles.at(-1));
      return handles.length;
    },
    /** Removes all messages that can be received, and returns their bodies in order. */
    drain: async (queue: QueueName): Promise<string[]> => {
      const QueueUrl = urls[queue];
      const found: string[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
        );
        if (Messages.length === 0) return found.sort();
        const Entries = Messages.map(({ ReceiptHandle }, Id) => ({ Id: `${Id}`, ReceiptHandle }));
        await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        found.push(...Messages.map(({ Body = '' }) => Body));
      }
    },
    /** Does something before a call is executed. */
    before:
      (what: (input: Input) => unknown): Given =>
      async (input, passOn) => {
        await what(input);
        return 'WaitTimeSeconds' in input ? receive(input, passOn) : passOn();
      },
  };
}

/** Promo events of users `user-0`, `user-1` and so on. */
export const eventsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => eventOf(`user-${index}`));

/** The item of an application of a code by a user. */
export function itemOf(userId: string) {
  const event = eventOf(userId, { clientId: 'demo' });
  return { ...event, eventId: appliedEventId(event), kind: 'applied' };
}
