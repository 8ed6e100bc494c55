import { describe, expect, test, vi } from 'vitest';
import { type FaultProxy, noWrites } from '../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';

/*
 * A function is killed between two of its steps, and the app then sends the request again. The
 * tests wait for queues, so they run concurrently, each with its own service.
 */

const ONE = { 'Request-Date': new Date().toISOString() };
const OTHER = { 'Request-Date': new Date(Date.now() + 1000).toISOString() };

/** Long enough that no message is delivered again while a function still processes it. */
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 100 };

const start = () => startFaultyService({ queue: QUEUE });

/**
 * Kills a function once, after a call that it made has succeeded and before it receives the
 * response.
 */
function killAfter(service: FaultyService, proxy: FaultProxy, operation: string, name: string) {
  const kill = vi.fn(() => service.kill(name));
  proxy.onDone = async (call) => {
    if (call.operation === operation && kill.mock.calls.length === 0) await kill();
  };
  return kill;
}

const kinds = async (service: FaultyService) =>
  (await service.promoEvents()).map(({ kind }) => kind).sort();
const drained = (service: FaultyService) =>
  vi.waitUntil(async () => (await service.messages()).queue === 0, 100_000);

describe.concurrent('promoCode/apply', () => {
  test('killed after the write and before its response: a retry adds no second application', async () => {
    await using service = await start();
    const kill = killAfter(service, service.toDynamoDb, 'UpdateItem', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: ONE })).body.data.retryable).toBe(true);
    expect(kill).toHaveBeenCalledOnce();
    expect((await service.applyPromoCode({ headers: ONE })).status).toBe(200);
    expect(await kinds(service)).toEqual(['applied']);
  });

  test('killed between the two writes of a repetition: a retry stores both', async () => {
    await using service = await start();
    await service.applyPromoCode({ headers: ONE });
    killAfter(service, service.toDynamoDb, 'UpdateItem', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: OTHER })).body.data.retryable).toBe(true);
    expect(await kinds(service)).toEqual(['applied']);
    expect((await service.applyPromoCode({ headers: OTHER })).status).toBe(200);
    expect(await kinds(service)).toEqual(['applied', 'repeated']);
  });

  test('killed after it queued the event and before its response: a retry adds no second application', async () => {
    await using service = await start();
    service.toDynamoDb.faultOf = noWrites;
    const kill = killAfter(service, service.toSqs, 'SendMessage', 'ApplyPromoCode');
    expect((await service.applyPromoCode({ headers: ONE })).body.data.retryable).toBe(true);
    expect(kill).toHaveBeenCalledOnce();
    const again = await service.applyPromoCode({ headers: ONE });
    expect(again.body.notices).toEqual(['The promo code is being processed.']);
    service.toDynamoDb.faultOf = () => undefined;
    await drained(service);
    expect(await kinds(service)).toEqual(['applied']);
  });
});

test.concurrent('the function that stores queued events, killed after the write and before its report, stores the event once', async () => {
  await using service = await start();
  service.toDynamoDb.faultOf = noWrites;
  for (const headers of [ONE, OTHER]) {
    expect((await service.applyPromoCode({ headers })).body.notices).toHaveLength(1);
  }
  const kill = killAfter(service, service.toDynamoDb, 'UpdateItem', 'StoreQueuedPromoEvents');
  service.toDynamoDb.faultOf = () => undefined;
  await drained(service);
  expect(kill).toHaveBeenCalledOnce();
  expect(await kinds(service)).toEqual(['applied', 'repeated']);
  expect((await service.messages()).deadLetterQueue).toBe(0);
});
