import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { close } from '../../local/listen.ts';
import { FaultProxy, noWrites } from '../support/fault-proxy.ts';
import { type Service, startService } from '../support/service.ts';

/* A function is ended between two of its steps. What the app does then is to send the request again. */

const ONE = { 'Request-Date': new Date().toISOString() };
const OTHER = { 'Request-Date': new Date(Date.now() + 1000).toISOString() };
const QUEUE = { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 };

let toDynamoDb: FaultProxy;
let toSqs: FaultProxy;
let service: Service;
beforeEach(async () => {
  toDynamoDb = await FaultProxy.start();
  toSqs = await FaultProxy.start();
  service = await startService(
    { AWS_ENDPOINT_URL_DYNAMODB: toDynamoDb.url, AWS_ENDPOINT_URL_SQS: toSqs.url },
    QUEUE,
  );
  toDynamoDb.target = service.outputs.DynamoDbEndpoint;
  toSqs.target = service.outputs.SqsEndpoint;
});
afterEach(async () => {
  await service.stop();
  await close(toDynamoDb.server);
  await close(toSqs.server);
});

/** Ends a function once, when a call of it was done and before the function hears of it. */
function killAfter(way: FaultProxy, operation: string, name: string) {
  const kill = vi.fn(() => service.kill(name));
  way.onDone = async (call) => {
    if (call.operation === operation && kill.mock.calls.length === 0) await kill();
  };
  return kill;
}

const kinds = async () => (await service.promoEvents()).map(({ kind }) => kind).sort();
const isDrained = () => vi.waitUntil(async () => (await service.messages()).queue === 0, 20_000);

describe('promoCode/apply', () => {
  test('after the write and before the answer: sent again, it is one application', async () => {
    const kill = killAfter(toDynamoDb, 'UpdateItem', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: ONE })).body.data.retryable).toBe(true);
    expect(kill).toHaveBeenCalledOnce();
    expect((await service.applyPromoCode({ headers: ONE })).status).toBe(200);
    expect(await kinds()).toEqual(['applied']);
  });

  test('between the two writes of a repetition: sent again, both are there', async () => {
    await service.applyPromoCode({ headers: ONE });
    killAfter(toDynamoDb, 'UpdateItem', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: OTHER })).body.data.retryable).toBe(true);
    expect(await kinds()).toEqual(['applied']);
    expect((await service.applyPromoCode({ headers: OTHER })).status).toBe(200);
    expect(await kinds()).toEqual(['applied', 'repeated']);
  });

  test('after the queue and before the answer: sent again, it is one application', async () => {
    toDynamoDb.faultOf = noWrites;
    const kill = killAfter(toSqs, 'SendMessage', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: ONE })).body.data.retryable).toBe(true);
    expect(kill).toHaveBeenCalledOnce();
    const again = await service.applyPromoCode({ headers: ONE });
    expect(again.body.notices).toEqual(['The promo code is being processed.']);
    toDynamoDb.faultOf = () => undefined;
    await isDrained();
    expect(await kinds()).toEqual(['applied']);
  });
});

test('the function that drains the queue, after the write and before it says so', async () => {
  toDynamoDb.faultOf = noWrites;
  for (const headers of [ONE, OTHER]) {
    expect((await service.applyPromoCode({ headers })).body.notices).toHaveLength(1);
  }
  const kill = killAfter(toDynamoDb, 'UpdateItem', 'StoreQueuedPromoEvents');
  toDynamoDb.faultOf = () => undefined;
  await isDrained();
  expect(kill).toHaveBeenCalledOnce();
  expect(await kinds()).toEqual(['applied', 'repeated']);
  expect((await service.messages()).deadLetterQueue).toBe(0);
});
