import { DeleteCommand, NumberValue } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, expect, test, vi } from 'vitest';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { appliedItem, eventOf } from '../../support/promo-event.ts';

/*
 * What the check on the stream reports of changes in the running stack: the table, its stream, the
 * filters, the function, its metric and the alarm.
 */

const MINUTE_MS = 60_000;
const SOON = { interval: 20 };

let service: FaultyService;
let log: ReturnType<FaultyService['watchLog']>;
/** Calls the function. */
let invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
/** The records that the function received. */
const received: DynamoDBRecord[] = [];
beforeAll(async () => {
  service = await startFaultyService({ environment: { CHECK_AFTER_SECONDS: '2' } });
  log = service.watchLog();
  const checker = service.functionOf('CheckPromoEvents');
  invoke = checker.invoke.bind(checker);
  vi.spyOn(checker, 'invoke').mockImplementation((event) => {
    const batch = event as DynamoDBStreamEvent;
    received.push(...batch.Records);
    return invoke(batch);
  });
  return service.stop;
});

/** The reports, as `client breach`. */
const breaches = () =>
  log
    .lines()
    .filter((line) => line.includes('"A guarantee about promo codes is broken"'))
    .map((line) => JSON.parse(line))
    .map(({ clientId, breach }) => `${clientId} ${breach}`);

const remove = ({ clientId, eventId }: { clientId: string; eventId: string }) =>
  service.documentClient.send(
    new DeleteCommand({
      TableName: service.outputs.PromoEventsTableName,
      Key: { clientId, eventId },
    }),
  );
const applied = (clientId: string, userId = 'jane', others: object = {}) =>
  appliedItem(userId, { clientId, ...others });
const repeated = (clientId: string, userId = 'jane', others: object = {}) => ({
  ...eventOf(userId, { clientId }),
  eventId: `${encodeURIComponent(userId)}#CODE#repeated#2026-11-20T09:30:00Z`,
  kind: 'repeated',
  ...others,
});

/** The expectations so far. */
const reported: string[] = [];

/** Reported once everything before it in the stream was checked. */
async function expectReported(...expected: string[]) {
  const last = applied(`last-${expected.length}`);
  await service.putPromoEvent(last);
  await service.putPromoEvent({ ...last, source: 'another' });
  const { clientId } = last;
  await vi.waitFor(() => expect(breaches()).toContain(`${clientId} changed`), SOON);
  expect(breaches()).toEqual([...reported, ...expected, `${clientId} changed`]);
  reported.push(...expected, `${clientId} changed`);
}

test('nothing is reported of what the service, an expiry, an erasure and a copy in any order do', async () => {
  const now = Date.now();
  for (const ms of [0, MINUTE_MS, 0, MINUTE_MS]) {
    const headers = { 'Request-Date': new Date(now - ms).toISOString() };
    expect((await service.applyPromoCode({ headers })).status).toBe(200);
  }
  const expiresAt = Math.floor(now / 1000);
  for (const [item, ends] of [
    // People store any number.
    [{ ...applied('expired'), points: NumberValue.from('12345678901234567890.5') }, expiresAt - 60],
    [repeated('demo', 'demo-user'), expiresAt - 60],
    [applied('expired', 'later'), expiresAt + 3600],
  ] as const) {
    await service.putPromoEvent({ ...item, expiresAt: ends });
  }
  await service.putPromoEvent(applied('demo', 'demo-user'));
  await service.expire();
  expect(await service.promoEvents('expired')).toHaveLength(1);
  for (const userId of ['jané#%', '0000ABCD-0000-4000-8000-00000000ABCD']) {
    await service.putPromoEvent(applied('erased', userId));
    await service.markErased('erased', userId);
    await remove(applied('erased', userId));
    await service.putPromoEvent(repeated('erased', userId));
    await remove(repeated('erased', userId));
  }
  await service.putPromoEvent(repeated('copied'));
  await vi.waitFor(() => expect(received.at(-1)?.dynamodb?.Keys?.clientId?.S).toBe('copied'), SOON);
  await service.putPromoEvent(applied('copied'));
  await expectReported();
  // The filters keep the rest away.
  const seen = received.map(({ eventName, userIdentity, dynamodb }) =>
    [eventName, userIdentity?.principalId, dynamodb?.NewImage?.kind?.S].filter(Boolean).join(' '),
  );
  expect(new Set(seen)).toEqual(new Set(['INSERT repeated', 'REMOVE', 'MODIFY applied']));
});

test('a change, a removal and a missing application are reported, without the user and the code', async () => {
  const client = 'broken';
  await service.putPromoEvent(applied('kept'));
  await service.putPromoEvent(applied('kept', 'jane', { promoCodeToken: 'added' }));
  await service.putPromoEvent(repeated('kept'));
  await service.putPromoEvent(repeated('kept', 'jane', { receivedAt: '2026-11-21T00:00:00.000Z' }));
  await remove(repeated('kept'));
  // Neither another client's marker, nor another user's, nor an expired or unreadable one counts.
  await service.markErased('other', 'jane');
  await service.markErased(client, 'john');
  await service.markErased(client, 'jane', { expiresAt: 1 });
  await service.markErased(client, 'ann', { erasedAt: 'yesterday' });
  for (const userId of ['jane', 'ann']) {
    await service.putPromoEvent(applied(client, userId));
    await remove(applied(client, userId));
  }
  const byHand = { clientId: client, eventId: '%' };
  await service.putPromoEvent(byHand);
  await remove(byHand);
  await service.putPromoEvent(repeated(client, 'bob'));
  // An erasure permits removals, and no change of what its user applied since.
  await service.markErased('erased since', 'jane');
  await service.putPromoEvent(applied('erased since'));
  await service.putPromoEvent(applied('erased since', 'jane', { source: 'another' }));
  await remove(applied('erased since'));
  const { lines } = log;
  await expectReported(
    'kept changed',
    'kept changed',
    'kept removed',
    'broken removed',
    'broken removed',
    'broken removed',
    'broken applicationMissing',
    'erased since changed',
  );
  expect(lines().filter((line) => /jane|CODE|%/.test(line))).toEqual([]);
});

test('a record that is delivered again, or whose check failed before, is reported once by each environment', async () => {
  log = service.watchLog();
  service.toDynamoDb.faultOf = ({ operation }) =>
    operation === 'GetItem' ? 'internal error' : undefined;
  await service.putPromoEvent(applied('again'));
  await service.putPromoEvent(repeated('again'));
  await service.putPromoEvent(repeated('again', 'jane', { source: 'another' }));
  await log.logged('InternalServerError');
  service.toDynamoDb.faultOf = () => undefined;
  await vi.waitFor(() => expect(breaches()).toEqual(['again changed']), SOON);
  const Records = received.filter(({ eventName }) => eventName === 'MODIFY').slice(-1);
  await invoke({ Records });
  // A new environment does not know what was reported.
  await service.kill('CheckPromoEvents');
  await invoke({ Records });
  await vi.waitFor(() => expect(breaches()).toEqual(['again changed', 'again changed']), SOON);
});

test('each breach of a batch is reported, also after a record that breaks nothing', async () => {
  log = service.watchLog();
  const records = [
    ['MODIFY', applied('first')],
    ['INSERT', repeated('again')],
    ['MODIFY', applied('last')],
  ] as const;
  const Records = records.map(([eventName, { clientId, eventId }]) => ({
    eventID: `of the batch: ${clientId}`,
    eventName,
    dynamodb: { Keys: { clientId: { S: clientId }, eventId: { S: eventId } } },
  }));
  await invoke({ Records });
  await vi.waitFor(() => expect(breaches()).toEqual(['first changed', 'last changed']), SOON);
});
