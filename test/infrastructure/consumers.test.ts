import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { appliedEventId } from '../../core/promo-events/promo-event.ts';
import { publishedEvent } from '../../core/promo-events/published-event.ts';
import { Receiver, Sender } from '../../examples/consumers/another-account.ts';
import { Chat } from '../../examples/consumers/chat.ts';
import { QueueConsumer } from '../../examples/consumers/queue.ts';
import { SchemaRegistry } from '../../examples/consumers/schema-registry.ts';
import { Webhook } from '../../examples/consumers/webhook.ts';
import { readDocument } from '../support/documents/document.ts';
import { newFolder } from '../support/new-folder.ts';
import { eventOf } from '../support/promo-event.ts';
import { appFor, oncePerRun, templateFor } from '../support/stack.ts';

/* The examples of consumers, as somebody who copied them deploys them. */

const [SENDER, RECEIVER] = ['111111111111', '222222222222'];
const WEBHOOK = { endpoint: 'https://shop.example/hook', secretName: 'shop/webhook' };

const queue = (app: App) => new QueueConsumer(app, 'Queue');
const sender = (app: App) => new Sender(app, 'Sender', { receiver: RECEIVER });
const receiver = (app: App) => new Receiver(app, 'Receiver', { sender: SENDER });
const webhook = (app: App) => new Webhook(app, 'Webhook', WEBHOOK);
const chat = (app: App) => new Chat(app, 'Chat', { endpoint: 'https://chat.example/hook' });
const registry = (app: App) => new SchemaRegistry(app, 'Registry');

const templateOf = (make: (app: App) => Stack) =>
  Template.fromJSON(
    oncePerRun(`consumer ${make.name}`, () => Template.fromStack(make(appFor())).toJSON()),
  );

/** The pattern of a document. The transcript of `smoke` shows which events it matches. */
async function patternIn(file: string): Promise<object> {
  const { blocks } = await readDocument(file);
  const documented = blocks.find(({ text }) => text.includes('anything-but'));
  return JSON.parse(documented?.text ?? '');
}
const PROMO_EVENTS = await patternIn('docs/promo-events.md');
const NEWS = await patternIn('docs/configuration-news.md');

describe.each([
  ...Object.entries({ queue, sender, receiver, webhook }).map(
    ([name, make]) => [name, make, PROMO_EVENTS] as const,
  ),
  ['chat', chat, NEWS] as const,
])('%s', (_, make, pattern) => {
  const template = templateOf(make);
  const rules = Object.values(template.findResources('AWS::Events::Rule'));

  test('has one rule, with the pattern of the document', () => {
    const patterns = rules.map(({ Properties }) => Properties.EventPattern);
    expect(patterns).toEqual([expect.objectContaining(pattern)]);
  });

  test('keeps for two weeks what its target did not accept', () => {
    const targets = rules.flatMap(({ Properties }) => Properties.Targets);
    expect(targets).toHaveLength(1);
    for (const { DeadLetterConfig } of targets) {
      const [queue] = DeadLetterConfig.Arn['Fn::GetAtt'];
      const { Properties } = template.findResources('AWS::SQS::Queue')[queue] ?? {};
      expect(Properties?.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
    }
  });
});

test('a consumer imports what the stack of the stage prod exports', () => {
  const exported = Object.values(templateFor().findOutputs('*')).map(({ Export }) =>
    Export?.Name.replace('-test-', '-prod-'),
  );
  const imported = JSON.stringify(templateOf(queue).toJSON());
  const [, name] = /"Fn::ImportValue":"([^"]*)"/.exec(imported) ?? [];
  expect(exported).toContain(name);
});

test('the bus of another account accepts events of the deployment only', () => {
  const policies = templateOf(receiver).findResources('AWS::Events::EventBusPolicy');
  const [{ Properties } = {}] = Object.values(policies);
  const { Action, Effect, Principal } = Properties?.Statement ?? {};
  expect([Effect, Action]).toEqual(['Allow', 'events:PutEvents']);
  expect(JSON.stringify(Principal)).toContain(`:iam::${SENDER}:root`);
  const sent = JSON.stringify(templateOf(sender).toJSON());
  expect(sent).toContain(`:${RECEIVER}:event-bus/PromoEvents`);
});

test('the template of the webhook has a reference to the secret', () => {
  const template = templateOf(webhook);
  template.hasResourceProperties('AWS::Events::Connection', {
    AuthParameters: {
      ApiKeyAuthParameters: {
        ApiKeyValue: '{{resolve:secretsmanager:shop/webhook:SecretString:::}}',
      },
    },
  });
});

const EVENT = eventOf('jane');
const { detailType, detail } = publishedEvent({
  ...EVENT,
  eventId: appliedEventId(EVENT),
  kind: 'applied',
});
const PUBLISHED = {
  version: '0',
  id: '6c0b9c58-8f8b-4f0c-9d3a-8f2c3d9a6f51',
  'detail-type': detailType,
  source: 'customer-data-api.promo-events',
  account: SENDER,
  time: '2026-11-21T20:57:48Z',
  region: 'us-east-1',
  resources: [],
  detail,
};

const NEWS_EVENT = {
  ...PUBLISHED,
  'detail-type': 'configuration-changed',
  source: 'customer-data-api.configurations',
  detail: {
    version: '1',
    clientId: 'demo',
    configurationVersion: 7,
    madeBy: 'manual edit',
    effects: ['"Colour" is called "Color".'],
    rollout: { change: 'stopped', effects: [] },
    chat: { text: 'demo@7, manual edit' },
  },
};

test('the registered schemas are OpenAPI documents, and describe the published events', async () => {
  const schemas = Object.values(
    templateOf(registry).findResources('AWS::EventSchemas::Schema'),
  ).map(({ Properties }) => Properties);
  const { path, remove } = await newFolder();
  try {
    const files = schemas.map(({ SchemaName }) => join(path, `${SchemaName}.json`));
    for (const [index, { Content }] of schemas.entries()) {
      await writeFile(files[index] ?? '', Content);
    }
    const redocly = new URL('../../node_modules/.bin/redocly', import.meta.url).pathname;
    await promisify(execFile)(redocly, ['lint', '--extends', 'spec', ...files], { cwd: path });
  } finally {
    await remove();
  }
  const types = schemas.map(({ Content }) => {
    const document = JSON.parse(Content);
    const { AWSEvent } = document.components.schemas;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'document');
    const isValid = ajv.compile({ $ref: 'document#/components/schemas/AWSEvent' });
    const type = AWSEvent['x-amazon-events-detail-type'];
    const isNews = type === 'configuration-changed';
    const source = AWSEvent['x-amazon-events-source'];
    expect(source).toBe(isNews ? NEWS_EVENT.source : PUBLISHED.source);
    expect(isValid({ ...(isNews ? NEWS_EVENT : PUBLISHED), 'detail-type': type })).toBe(true);
    expect(isValid({ ...PUBLISHED, 'detail-type': 'another' })).toBe(false);
    expect(isValid({ ...PUBLISHED, 'detail-type': type, detail: {} })).toBe(false);
    return type;
  });
  expect(types.sort()).toEqual(['applied', 'configuration-changed', 'repeated']);
}, 60_000);
