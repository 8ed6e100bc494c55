import type { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test, vi } from 'vitest';
import { Receiver, Sender } from '../../examples/consumers/another-account.ts';
import { handler as postNews } from '../../examples/consumers/chat/handler.ts';
import { Chat } from '../../examples/consumers/chat.ts';
import { Grant } from '../../examples/consumers/grant.ts';
import { QueueConsumer } from '../../examples/consumers/queue.ts';
import { Webhook } from '../../examples/consumers/webhook.ts';
import { busEvent } from '../support/bus-event.ts';
import { readDocument } from '../support/documents/document.ts';
import { appFor, oncePerRun, templateFor } from '../support/stack.ts';
import { admits, permissionsIn, resourcesWith } from '../support/who-gets-in.ts';

/* The examples of consumers, as somebody who copied them deploys them. */

const [SENDER, RECEIVER] = ['111111111111', '222222222222'];
const rootOf = (account: string) => `arn:aws:iam::${account}:root`;
const WEBHOOK = { endpoint: 'https://shop.example/hook', secretName: 'shop/webhook' };
const BENEFITS = { benefitsUrl: 'https://shop.example/benefits', secretName: 'shop/benefits' };

const queue = (app: App) => new QueueConsumer(app, 'Queue');
const sender = (app: App) => new Sender(app, 'Sender', { receiver: RECEIVER });
const grant = (app: App) => new Grant(app, 'Grant', BENEFITS);
const receiver = (app: App) => new Receiver(app, 'Receiver', { sender: SENDER });
const webhook = (app: App) => new Webhook(app, 'Webhook', WEBHOOK);
const chat = (app: App) => new Chat(app, 'Chat', { endpoint: 'https://chat.example/hook' });

const templateOf = (make: (app: App) => Stack) =>
  Template.fromJSON(
    oncePerRun(`consumer ${make.name}`, () => Template.fromStack(make(appFor())).toJSON()),
  );

/** The patterns of the document. The transcript of `smoke` shows which events they match. */
const [PROMO_EVENTS = {}, NEWS = {}] = (await readDocument('docs/events.md')).blocks
  .filter(({ text }) => text.includes('anything-but'))
  .map(({ text }): object => JSON.parse(text));

describe.each([
  ...Object.entries({ queue, grant, sender, receiver, webhook }).map(
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

  const resources = resourcesWith(template.toJSON(), { 'AWS::Partition': 'aws' });
  const ofType = (type: string) =>
    Object.entries(resources).filter(([, { Type }]) => Type === `AWS::${type}`);
  const queues = ofType('SQS::Queue');
  const targets = ofType('Events::Rule').flatMap(([id, { Properties }]) =>
    Properties.Targets.map((target: object) => ({ rule: `${id}.Arn`, ...target })),
  );

  test('keeps for two weeks what its target or its consumer did not accept', () => {
    expect(targets).toHaveLength(1);
    // A message that SQS moves to its dead letters keeps its age.
    const kept = queues.map(([, { Properties }]) => Properties.MessageRetentionPeriod);
    expect(new Set(kept)).toEqual(new Set([14 * 24 * 60 * 60]));
    const known = queues.map(([id]) => `${id}.Arn`);
    const deadLetters = [
      ...targets.map(({ DeadLetterConfig }) => DeadLetterConfig?.Arn),
      ...queues.flatMap(
        ([, { Properties }]) => Properties.RedrivePolicy?.deadLetterTargetArn ?? [],
      ),
    ];
    expect(deadLetters.filter((arn) => !known.includes(arn))).toEqual([]);
  });

  test('passes events on as they are, without an input template', () => {
    expect(targets.filter(({ InputTransformer }) => InputTransformer)).toEqual([]);
  });

  test('lets nobody but its rule send to its queues, over TLS', () => {
    const policies = ofType('SQS::QueuePolicy').flatMap(([, { Properties }]) => Properties);
    const senders = [...targets.map(({ rule }) => rule), 'AnotherRule.Arn', undefined];
    for (const [id] of queues) {
      const resource = `${id}.Arn`;
      const named = targets.filter(
        ({ Arn, DeadLetterConfig }) => Arn === resource || DeadLetterConfig.Arn === resource,
      );
      const [{ PolicyDocument } = { PolicyDocument: { Statement: [] } }] = policies.filter(
        ({ Queues }) => Queues.includes(id),
      );
      const sending = (more: object) =>
        senders.filter((sender) =>
          admits(PolicyDocument, {
            action: 'sqs:SendMessage',
            principal: { Service: 'events.amazonaws.com' },
            resource,
            context: { 'aws:SecureTransport': 'true', ...(sender && { 'aws:SourceArn': sender }) },
            ...more,
          }),
        );
      expect(sending({})).toEqual(named.map(({ rule }) => rule));
      for (const other of [
        { action: 'sqs:ReceiveMessage' },
        { principal: { Service: 'sns.amazonaws.com' } },
        { principal: { AWS: rootOf(SENDER) } },
        { context: { 'aws:SecureTransport': 'false', 'aws:SourceArn': named[0]?.rule } },
      ]) {
        expect(sending(other)).toEqual([]);
      }
    }
  });

  test('has no role that anything but EventBridge can take, or Lambda for a function', () => {
    const [functionRole] = ofType('Lambda::Function').map(([, { Properties }]) => Properties.Role);
    for (const [id, { Properties }] of ofType('IAM::Role')) {
      const taking = ['events', 'lambda', 'scheduler'].filter((service) =>
        admits(Properties.AssumeRolePolicyDocument, {
          action: 'sts:AssumeRole',
          principal: { Service: `${service}.amazonaws.com` },
        }),
      );
      expect(taking, id).toEqual([functionRole === `${id}.Arn` ? 'lambda' : 'events']);
    }
  });
});

test('Lambda keeps in the queue what the function of a grant reports as failed', () => {
  const source = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
  templateOf(grant).hasResourceProperties('AWS::Lambda::EventSourceMapping', source);
});

test('the function of a grant may make the calls of its code and of its queue, and no others', () => {
  expect(permissionsIn(templateOf(grant).toJSON())).toEqual([
    'dynamodb:GetItem Codes.Arn',
    'dynamodb:GetItem Grants.Arn',
    'dynamodb:UpdateItem Codes.Arn',
    'dynamodb:UpdateItem Grants.Arn',
    'logs:CreateLogStream Logs.Arn',
    'logs:PutLogEvents Logs.Arn',
    'secretsmanager:GetSecretValue arn:aws:secretsmanager:AWS::Region:AWS::AccountId:secret:shop/benefits-??????',
    'sqs:ChangeMessageVisibility AppliedCodes.Arn',
    'sqs:DeleteMessage AppliedCodes.Arn',
    'sqs:GetQueueAttributes AppliedCodes.Arn',
    'sqs:GetQueueUrl AppliedCodes.Arn',
    'sqs:ReceiveMessage AppliedCodes.Arn',
  ]);
});

test.each([
  ['grant', grant],
  ['chat', chat],
])('the %s breaks no rule of cdk-nag', (_, make) => {
  const { violations } = new AwsSolutionsChecks().validateScope(make(appFor()));
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
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
  const resources = resourcesWith(templateOf(receiver).toJSON(), { 'AWS::Partition': 'aws' });
  const policies = Object.values(resources).filter(
    ({ Type }) => Type === 'AWS::Events::EventBusPolicy',
  );
  const [bus] =
    Object.entries(resources).find(([, { Type }]) => Type === 'AWS::Events::EventBus') ?? [];
  const allowed = [SENDER, RECEIVER, '333333333333'].flatMap((account) =>
    ['events:PutEvents', 'events:PutRule', 'events:PutPermission'].flatMap((action) => {
      const request = { action, principal: { AWS: rootOf(account) }, resource: `${bus}.Arn` };
      return policies.some(({ Properties }) => admits(Properties, request))
        ? [account, action]
        : [];
    }),
  );
  expect(allowed).toEqual([SENDER, 'events:PutEvents']);
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

const NEWS_EVENT = busEvent({
  detailType: 'configuration-changed',
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
});

test('a chat gets a text that calls nobody and hides no link, even of forged news', async () => {
  const post = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());
  const text = 'demo@7\n<!channel> <https://evil.example|click>';
  await postNews({ detail: { ...NEWS_EVENT.detail, chat: { text, blocks: [] } as object } });
  const bodies = post.mock.calls.map(([, request]) => JSON.parse(String(request?.body)));
  expect(bodies).toEqual([{ text: 'demo@7\n‹!channel› ‹https://evil.example|click›' }]);
  post.mockImplementation(async () => new Response(null, { status: 500 }));
  await expect(postNews(NEWS_EVENT)).rejects.toThrow('500');
  post.mockRestore();
});
