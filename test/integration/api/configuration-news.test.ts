import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Chat } from '../../../examples/consumers/chat.ts';
import { eventDeviations } from '../../../openapi/validation.ts';
import { type Input, startAws } from '../../support/aws.ts';
import { PIZZA } from '../../support/configurations.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { historyOf } from '../../support/history.ts';
import { appFor } from '../../support/stack.ts';

/* What becomes of the news of a change in the running stack: stream, function, bus and queue. */

const SOON = { interval: 20, timeout: 15_000 };
const ACCEPTED = { Entries: [{ EventId: '1' }], FailedEntryCount: 0 };
const [, FIELD] = parse(PIZZA).fields;

let service: FaultyService;
let bus: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  bus = await startAws();
  bus.answer({ PutEvents: ACCEPTED });
  service = await startFaultyService({
    environment: { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint },
  });
});
afterAll(async () => {
  await service.stop();
  await bus.stop();
});
beforeEach(() => {
  bus.answer({ PutEvents: ACCEPTED });
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

const store = (clientId: string, fieldName = 'A caption') =>
  service.putConfig({
    clientId,
    appIds: ['key'],
    fields: [{ ...FIELD, id: '1', fieldName }],
    lastFieldId: 1,
  });

async function versionsOf(clientId: string): Promise<number[]> {
  const { dynamodb, outputs } = service;
  const table = { dynamodb, versionsTableName: outputs.ConfigVersionsTableName };
  return (await historyOf(table, clientId)).map(({ version }) => version);
}

test('a chat gets the news as JSON, whatever a caption has', async () => {
  const caption = 'Say "hi",\nand \\n <!channel> {"text": 1}';
  await store('pizza', caption);
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

test('no news is lost when the function is ended after it wrote a version, and none is recorded twice', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isKilled = false;
  const known: number[][] = [];
  bus.answer({
    PutEvents: async () => {
      known.push(await versionsOf('killed'));
      if (!isKilled) {
        resolve();
        await new Promise(() => {});
      }
      return ACCEPTED;
    },
  });
  await store('killed');
  await promise;
  isKilled = true;
  await service.kill('RecordConfigurationVersions');
  await vi.waitFor(() => expect(known).toEqual([[1], [1]]), SOON);
  await store('killed', 'Another caption');
  await vi.waitFor(() => expect(known).toEqual([[1], [1], [1, 2]]), SOON);
  const told = eventsOf('killed').map(({ detail }) => detail.configurationVersion);
  expect(told).toEqual([1, 1, 2]);
});

test('while neither the bus nor the queue takes news, versions are recorded once, and then all is published', async () => {
  bus.answer({ PutEvents: undefined });
  service.toSqs.faultOf = () => 'not permitted';
  const log = service.watchLog();
  await store('waiting');
  await log.logged('is not published yet', 'is not published yet');
  expect(await versionsOf('waiting')).toEqual([1]);
  bus.answer({ PutEvents: ACCEPTED });
  service.toSqs.faultOf = () => undefined;
  await vi.waitFor(() => expect(eventsOf('waiting')).toHaveLength(1), SOON);
  expect(await versionsOf('waiting')).toEqual([1]);
});
