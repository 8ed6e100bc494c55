import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import { asStored } from '../../core/promo-events/device-id.ts';
import { PROMO_EVENTS_SOURCE, publishedEvent } from '../../core/promo-events/published-event.ts';
import { eventDeviations } from '../../openapi/validation.ts';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import type { Outputs } from '../../packages/deployment/outputs.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { type Deployment, newSubject, until } from './deployment.ts';
import { expectServed } from './last-release.ts';
import { application, promoEventsOf } from './requests.ts';

type Event = Readonly<Record<string, unknown>>;

/**
 * Applies a code before a change of the deployment, and one after it. The events of both reach a
 * queue by a rule on the bus, as those of this release: also the one that another release stored.
 *
 * @param change changes the deployment, and returns its outputs then.
 * @throws AssertionError
 */
export async function expectOnTheBus(
  deployment: Deployment,
  change: () => Promise<Outputs>,
): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  const received = await subscribe(deployment, subject.clientId, cleanup);
  await expectServed(subject, application(subject));
  const { PromoEventsBusQueueUrl } = await change();
  await expectServed(subject, application(subject));
  const items = await promoEventsOf(deployment.outputs, subject);
  assert.equal(items.length, 2, 'the codes were not applied');
  // The last release has stored a device id, which this one does not publish.
  const expected = new Map(
    items.map((item) => [item.eventId, publishedEvent(asStored(item, false)).detail]),
  );
  // An event can arrive twice.
  const details = new Map<unknown, unknown>();
  await until('the events of both codes', async () => {
    for (const event of await received()) {
      assert.deepEqual(eventDeviations(event), [], 'an event is not as asyncapi.json describes it');
      details.set(Object(event.detail).eventId, event.detail);
    }
    return details.size >= expected.size;
  });
  assert.deepEqual(details, expected, 'the events are not those of the items');
  const [item = {}] = items as readonly Event[];
  await moveLetter(PromoEventsBusQueueUrl, item);
  await until('the event of a dead letter', async () =>
    (await received()).some(({ detail }) => Object(detail).eventId === item.eventId),
  );
}

/** Sends the dead letter of an item to the queue, as SQS does when it moves letters. */
async function moveLetter(QueueUrl: string, item: Event): Promise<void> {
  const sqs = awsClient('sqs', SQS, {});
  const [source, time, reason] = [PROMO_EVENTS_SOURCE, new Date().toISOString(), 'It was moved.'];
  const MessageBody = JSON.stringify({ source, time, reason, ...publishedEvent(item) });
  await sqs.sendMessage({ QueueUrl, MessageBody });
}

/**
 * Subscribes a queue to the events of a client by a rule on the bus.
 *
 * @returns a function that takes what has arrived out of the queue.
 */
async function subscribe(
  { outputs: { PromoEventsBusName: EventBusName } }: Deployment,
  clientId: string,
  cleanup: Cleanup,
): Promise<() => Promise<Event[]>> {
  const [sqs, eventBridge] = [awsClient('sqs', SQS, {}), awsClient('events', EventBridge, {})];
  const Name = `e2e-${randomUUID()}`;
  const { QueueUrl = '' } = await sqs.createQueue({ QueueName: Name });
  cleanup.willRemove(`the queue ${Name}`, () => sqs.deleteQueue({ QueueUrl }));
  const AttributeNames = ['QueueArn' as const];
  const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames });
  const Arn = Attributes?.QueueArn ?? '';
  const Principal = { Service: 'events.amazonaws.com' };
  const Statement = { Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: Arn };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [Statement] });
  await sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
  const EventPattern = JSON.stringify({
    source: [PROMO_EVENTS_SOURCE],
    'detail-type': ['applied'],
    detail: { version: ['2'], clientId: [clientId] },
  });
  const rule = { EventBusName, Rule: Name };
  cleanup.willRemove(`the rule ${Name}`, () => eventBridge.deleteRule({ EventBusName, Name }));
  await eventBridge.putRule({ EventBusName, Name, EventPattern });
  cleanup.willRemove(`the target of the rule ${Name}`, () =>
    eventBridge.removeTargets({ ...rule, Ids: ['queue'] }),
  );
  await eventBridge.putTargets({ ...rule, Targets: [{ Id: 'queue', Arn }] });
  return async () => {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    return Messages.map(({ Body = '' }) => JSON.parse(Body));
  };
}
