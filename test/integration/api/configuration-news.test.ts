import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Chat } from '../../../examples/consumers/chat.ts';
import { eventDeviations } from '../../../openapi/validation.ts';
import { type Input, startAws } from '../../support/aws.ts';
import { PIZZA } from '../../support/configurations.ts';
import { type Service, startService } from '../../support/service.ts';
import { appFor } from '../../support/stack.ts';

/* The news of a change in the running stack: stream, function, bus and chat. */

const SOON = { interval: 20 };
const [, FIELD] = parse(PIZZA).fields;

let service: Service;
let bus: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  bus = await startAws();
  bus.answer({ PutEvents: { Entries: [{ EventId: '1' }], FailedEntryCount: 0 } });
  service = await startService({ environment: { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint } });
});
afterAll(async () => {
  await service.stop();
  await bus.stop();
});

/** The events of a client that the bus was sent, as a rule passes them to its target. */
const eventsOf = (clientId: string) =>
  bus
    .inputsOf('PutEvents')
    .flatMap(({ Entries }) => Entries as Input[])
    .map(({ Source, DetailType, Detail, Time }) => ({
      version: '0',
      id: 'id',
      'detail-type': DetailType,
      source: Source,
      account: '000000000000',
      time: new Date(Number(Time) * 1000).toISOString(),
      region: 'us-east-1',
      resources: [],
      detail: JSON.parse(String(Detail)),
    }))
    .filter(({ detail }) => detail.clientId === clientId);

test('a chat gets the news as JSON, whatever a caption has', async () => {
  const caption = 'Say "hi",\nand \\n <!channel> {"text": 1}';
  const fields = [{ ...FIELD, id: '1', fieldName: caption }];
  await service.putConfig({ clientId: 'pizza', appIds: ['key'], fields, lastFieldId: 1 });
  await vi.waitFor(() => expect(eventsOf('pizza')).toHaveLength(1), SOON);
  const [event] = eventsOf('pizza');
  expect(event && eventDeviations(event)).toEqual([]);
  const chat = new Chat(appFor(), 'Chat', { endpoint: 'https://chat.example/hook' });
  const [rule] = Object.values(Template.fromStack(chat).findResources('AWS::Events::Rule'));
  // What `InputPath` names is the body of the request, as JSON.
  const [{ InputPath }] = rule?.Properties.Targets ?? [];
  const path = String(InputPath).split('.').slice(1);
  const body = path.reduce((part, name) => Object(part)[name], event as unknown);
  expect(Object.keys(Object(body))).toEqual(['text']);
  const { text } = JSON.parse(JSON.stringify(body));
  const shown = JSON.stringify(caption).replaceAll('<', '‹').replaceAll('>', '›');
  expect(text).toContain(shown);
});
