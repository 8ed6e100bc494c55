import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { count } from '../../../../core/platform/metrics.ts';
import type { PromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { storePromoEvent } from '../../../../core/promo-events/promo-events-table.ts';
import { eventOf } from '../../../support/promo-event.ts';

vi.mock('../../../../core/platform/metrics.ts', () => ({ count: vi.fn() }));

type Command = { readonly input: Record<string, unknown> };

const send = vi.fn<(command: Command, options: { abortSignal: AbortSignal }) => Promise<unknown>>();
const documentClient = { send } as unknown as DynamoDBDocumentClient;

const EVENT = eventOf('user', { promoCode: 'X', receivedAt: '1970-01-02T00:00:01.900Z' });
/** Two days after `receivedAt`, in whole seconds. */
const EXPIRES_AT = 3 * 24 * 60 * 60 + 1;

const conditionFailed = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
const applied = (requestDate: string) => ({ Attributes: { requestDate } });

beforeEach(() => {
  vi.mocked(count).mockReset();
  send.mockReset();
});

async function store(event: PromoEvent, retentionDays = 2) {
  const table = { documentClient, tableName: 'PromoEvents', retentionDays };
  const { signal } = new AbortController();
  const kind = await storePromoEvent(table, event, signal).finally(() => {
    for (const [, options] of send.mock.calls) expect(options.abortSignal).toBe(signal);
  });
  return { kind, commands: send.mock.calls.map(([command]) => command) };
}

/** The attributes that an update sets if they do not exist yet, with their values. */
function setBy({ input }: Command): unknown {
  const names = input.ExpressionAttributeNames as Record<string, string>;
  const values = input.ExpressionAttributeValues as Record<string, unknown>;
  const set = Object.entries(names).map(([placeholder, name]) => {
    const value = `:${placeholder.slice(1)}`;
    return [name, values[value]];
  });
  const actions = Object.keys(names).map(
    (placeholder) => `${placeholder} = if_not_exists(${placeholder}, :${placeholder.slice(1)})`,
  );
  expect(input.UpdateExpression).toBe(`SET ${actions.join(', ')}`);
  expect(Object.keys(values)).toHaveLength(set.length);
  return Object.fromEntries(set);
}

const { clientId, ...ATTRIBUTES } = EVENT;

test('the first request writes the application in one call', async () => {
  send.mockResolvedValueOnce(applied(EVENT.requestDate));
  const { kind, commands } = await store({ ...EVENT, promoCodeToken: 'token' });
  expect(kind).toBe('applied');
  expect(commands).toHaveLength(1);
  const [update] = commands as [Command];
  expect(update).toBeInstanceOf(UpdateCommand);
  expect(update.input).toMatchObject({
    TableName: 'PromoEvents',
    Key: { clientId, eventId: 'user#X#applied' },
    ConditionExpression:
      'attribute_not_exists(eventId) OR (attribute_exists(#promoCodeToken) AND attribute_exists(#expiresAt))',
    ReturnValues: 'ALL_NEW',
  });
  expect(setBy(update)).toEqual({
    ...ATTRIBUTES,
    kind: 'applied',
    promoCodeToken: 'token',
    expiresAt: EXPIRES_AT,
  });
});

test.each([
  ['neither a token nor an expiry', {}, 0, undefined],
  ['an empty token', { promoCodeToken: '' }, 0, undefined],
  [
    'a token',
    { promoCodeToken: 'token' },
    0,
    'attribute_not_exists(eventId) OR (attribute_exists(#promoCodeToken))',
  ],
  ['an expiry', {}, 2, 'attribute_not_exists(eventId) OR (attribute_exists(#expiresAt))'],
])('the condition of an event with %s', async (_, others, retentionDays, condition) => {
  send.mockResolvedValueOnce(applied(EVENT.requestDate));
  const { commands } = await store({ ...EVENT, ...others }, retentionDays);
  expect(commands[0]?.input.ConditionExpression).toBe(condition);
});

test('an application without a token or an expiry does not get one', async () => {
  send.mockRejectedValueOnce(conditionFailed).mockResolvedValueOnce(applied(EVENT.requestDate));
  const { kind, commands } = await store({ ...EVENT, promoCodeToken: 'token' });
  expect(kind).toBe('applied');
  expect(commands).toHaveLength(2);
  const [, second] = commands as [Command, Command];
  expect(second).toBeInstanceOf(UpdateCommand);
  expect(second.input.ConditionExpression).toBe('attribute_exists(eventId)');
  expect(setBy(second)).toEqual({ ...ATTRIBUTES, kind: 'applied' });
});

test.each([
  ['PromoEventApplied', EVENT.requestDate],
  ['PromoEventRepeated', 'earlier'],
] as const)('%s counts an event that is stored', async (metric, requestDate) => {
  send.mockResolvedValueOnce(applied(requestDate)).mockResolvedValueOnce({});
  await store(EVENT);
  expect(count).toHaveBeenCalledExactlyOnceWith(metric);
});

test.each([
  ['application', []],
  ['repetition', [applied('earlier')]],
])('an event whose %s is not stored is not counted', async (_, earlier) => {
  for (const result of earlier) send.mockResolvedValueOnce(result);
  send.mockRejectedValueOnce(new Error('down'));
  await expect(store(EVENT)).rejects.toThrow('down');
  expect(count).not.toHaveBeenCalled();
});

test('a request with another date is a repetition, stored under a key of its own', async () => {
  send.mockResolvedValueOnce(applied('2026-07-20T09:00:00.000Z')).mockResolvedValueOnce({});
  const { kind, commands } = await store({ ...EVENT, promoCodeToken: 'token' });
  expect(kind).toBe('repeated');
  expect(commands).toHaveLength(2);
  expect(commands[1]).toBeInstanceOf(PutCommand);
  expect(commands[1]?.input).toEqual({
    TableName: 'PromoEvents',
    Item: {
      ...EVENT,
      promoCodeToken: 'token',
      kind: 'repeated',
      expiresAt: EXPIRES_AT,
      eventId: `user#X#repeated#${EVENT.requestDate}`,
    },
    ConditionExpression: 'attribute_not_exists(eventId)',
  });
});

test('a repetition that is already stored is a success', async () => {
  send.mockResolvedValueOnce(applied('earlier')).mockRejectedValueOnce(conditionFailed);
  expect((await store(EVENT)).kind).toBe('repeated');
});

test('no item has an expiry without a retention', async () => {
  send.mockResolvedValueOnce(applied('earlier')).mockResolvedValueOnce({});
  const { commands } = await store(EVENT, 0);
  const [update, put] = commands as [Command, Command];
  expect(setBy(update)).not.toHaveProperty('expiresAt');
  expect(put.input.Item).not.toHaveProperty('expiresAt');
});

test('an error while writing the application is thrown, without another call', async () => {
  const error = new Error('down');
  send.mockRejectedValueOnce(error);
  await expect(store(EVENT)).rejects.toBe(error);
  expect(send).toHaveBeenCalledOnce();
});

test('an error of the second update is thrown', async () => {
  const error = new Error('down');
  send.mockRejectedValueOnce(conditionFailed).mockRejectedValueOnce(error);
  await expect(store(EVENT)).rejects.toBe(error);
});

test('an error while writing the repetition is thrown', async () => {
  const error = new Error('down');
  send.mockResolvedValueOnce(applied('earlier')).mockRejectedValueOnce(error);
  await expect(store(EVENT)).rejects.toBe(error);
});
