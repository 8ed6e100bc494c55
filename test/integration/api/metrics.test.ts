import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CountMetric } from '../../../core/platform/metrics.ts';
import type { Operation } from '../../../functions/api/operation.ts';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { recordConfigurationVersions } from '../../../functions/record-configuration-versions/definition.ts';
import { storeQueuedPromoEvents } from '../../../functions/store-queued-promo-events/definition.ts';
import { close } from '../../../local/listen.ts';
import { type Datapoint, datapointsOf, sumOf } from '../../support/embedded-metrics.ts';
import { EMITTED_METRICS } from '../../support/emitted-metrics.ts';
import { noWrites } from '../../support/fault-proxy.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { loggedBy } from '../../support/log.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/* The condition behind each metric, and what CloudWatch would read from the log of the function. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const STAGE = 'dev';

/** The metrics that the tests have seen, by the service that counted them. */
const seen = new Map<string, Set<string>>();

function see(metrics: readonly Datapoint[]): void {
  for (const { name, dimensions } of metrics) {
    const names = seen.get(dimensions.service ?? '') ?? new Set();
    seen.set(dimensions.service ?? '', names.add(name));
  }
}

async function collect(...[running, operation, action]: Parameters<typeof loggedBy>) {
  const logged = await loggedBy(running, operation, action);
  see(logged.metrics);
  return logged;
}

/** What a folder's function counted, by the metrics' names: the sums of those with no other dimensions than service and stage. */
function counted(
  metrics: readonly Datapoint[],
  service: string,
): Partial<Record<CountMetric, number>> {
  const names = [...new Set(metrics.map(({ name }) => name))].sort();
  return Object.fromEntries(
    names
      .map((name) => [name, sumOf(metrics, name, { service, stage: STAGE })] as const)
      .filter(([, sum]) => sum > 0),
  );
}

async function countedBy(
  running: Service,
  operation: Operation,
  action: () => Promise<unknown>,
): Promise<Partial<Record<CountMetric, number>>> {
  const { metrics } = await collect(running, operation, action);
  return counted(metrics, operation.folder);
}

const DAMAGED = { id: '1', fieldType: 'date' };

test('each metric has the dimensions service and stage, and no client, user or token among them', async () => {
  for (const operation of OPERATIONS) {
    const { metrics } = await collect(service, operation, async () => {
      await service.send(operation);
      await service.send(operation, { headers: { 'App-Id': 'wrong' } });
    });
    expect(metrics.length).toBeGreaterThan(0);
    for (const { namespace, dimensions } of metrics) {
      expect(namespace).toBe('CustomerDataApi');
      expect(dimensions).toMatchObject({ service: operation.folder, stage: STAGE });
      const others = Object.keys(dimensions).filter((name) => !['service', 'stage'].includes(name));
      for (const name of others) expect(['code', 'version']).toContain(name);
    }
  }
});

describe('Responses', () => {
  test('counts the responses of an operation, in total and by their code', async () => {
    for (const operation of OPERATIONS) {
      const { metrics } = await collect(service, operation, async () => {
        await service.send(operation);
        await service.send(operation);
        await service.send(operation, { headers: { 'App-Id': 'wrong' } });
        await service.send(operation, { body: '{' });
        await service.send(operation, { token: { expiresInSeconds: -5 } });
      });
      const ours = { service: operation.folder, stage: STAGE };
      expect(sumOf(metrics, 'Responses', ours)).toBe(5);
      expect(sumOf(metrics, 'ClientErrors', ours)).toBe(3);
      const codes = metrics.flatMap(({ name, dimensions: { code } }) =>
        name === 'Responses' && code ? [code] : [],
      );
      expect(codes).toEqual([
        'OK',
        'OK',
        'Unauthorized',
        'ValidationException',
        'NotAuthorizedException',
      ]);
      expect(sumOf(metrics, 'Responses', { ...ours, code: 'OK' })).toBe(2);
    }
  });
});

describe('ServerErrors', () => {
  test('counts responses with a status of 500 or more, in total and by version', async () => {
    await using broken = await startService({ CONFIGS_TABLE_NAME: 'NoSuchTable' });
    for (const operation of OPERATIONS) {
      const { metrics } = await collect(broken, operation, async () => {
        expect((await broken.send(operation)).status).toBe(500);
        expect((await broken.send(operation, { body: '{' })).status).toBe(400);
      });
      const ours = { service: operation.folder, stage: STAGE };
      expect(sumOf(metrics, 'ServerErrors', ours)).toBe(1);
      expect(sumOf(metrics, 'ServerErrors', { ...ours, version: '$LATEST' })).toBe(1);
      expect(sumOf(metrics, 'Responses', { ...ours, code: 'InternalServerError' })).toBe(1);
    }
  });
});

describe('FieldsLeftOut', () => {
  test('counts the fields that each response omits, and logs none of them', async () => {
    await service.putConfig({
      clientId: 'damaged',
      appIds: ['demo-app-key'],
      fields: [DAMAGED, 7, null],
      lastFieldId: 3,
    });
    const { lines, metrics } = await collect(service, getConfig, async () => {
      for (let requests = 0; requests < 3; requests++) {
        const { body } = await service.getConfig({ body: { clientId: 'damaged' } });
        expect(body.warnings).toHaveLength(1);
      }
    });
    expect(counted(metrics, getConfig.folder)).toEqual({ FieldsLeftOut: 9, Responses: 3 });
    expect(lines).toEqual([]);
  });

  test('is not counted for a configuration that is whole', async () => {
    const { lines, metrics } = await collect(service, getConfig, () => service.getConfig());
    expect(counted(metrics, getConfig.folder)).toEqual({ Responses: 1 });
    expect(lines).toEqual([]);
  });
});

describe('ClientLockedOut', () => {
  test.each([
    ['missing', {}],
    ['misspelled', { appId: ['demo-app-key'] }],
    ['not readable', { appIds: { key: 'demo-app-key' } }],
  ])('counts each request of a client whose appIds are %s', async (reason, attributes) => {
    const clientId = `locked-${reason.replaceAll(' ', '-')}`;
    await service.putConfig({ clientId, fields: [], lastFieldId: 0, ...attributes });
    for (const operation of OPERATIONS) {
      const body = { ...operation.example.request, clientId };
      const counts = await countedBy(service, operation, async () => {
        expect((await service.send(operation, { body })).status).toBe(401);
      });
      expect(counts).toEqual({ ClientErrors: 1, ClientLockedOut: 1, Responses: 1 });
    }
  });

  test('is not counted for a wrong App-Id', async () => {
    const counts = await countedBy(service, getConfig, () =>
      service.getConfig({ headers: { 'App-Id': 'wrong' } }),
    );
    expect(counts).toEqual({ ClientErrors: 1, Responses: 1 });
  });
});

describe('UserBindingRefused', () => {
  test('counts each request of a token that belongs to another user', async () => {
    const { lines, metrics } = await collect(service, applyPromoCode, async () => {
      for (const user of ['one', 'other']) {
        expect((await service.applyPromoCode({ token: { user } })).status).toBe(403);
      }
    });
    expect(counted(metrics, applyPromoCode.folder)).toEqual({
      ClientErrors: 2,
      UserBindingRefused: 2,
      Responses: 2,
    });
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatchObject({
        clientId: 'demo',
        reason: 'Error: the claim sub is not userId',
      });
    }
  });

  test('is not counted for a request that an earlier check refuses', async () => {
    const counts = await countedBy(service, applyPromoCode, () =>
      service.applyPromoCode({ token: { user: 'another' }, headers: { 'App-Id': 'wrong' } }),
    );
    expect(counts).toEqual({ ClientErrors: 1, Responses: 1 });
  });
});

describe('promo events', () => {
  test('PromoEventApplied and PromoEventRepeated count what the table stored', async () => {
    const body = { ...PROMO_REQUEST, promoCode: 'COUNTED' };
    const at = (minute: number) => ({
      body,
      headers: { 'Request-Date': new Date(Date.now() + minute * 60_000).toISOString() },
    });
    const first = at(0);
    expect(await countedBy(service, applyPromoCode, () => service.applyPromoCode(first))).toEqual({
      PromoEventApplied: 1,
      Responses: 1,
    });
    // The same request again is the application again.
    expect(await countedBy(service, applyPromoCode, () => service.applyPromoCode(first))).toEqual({
      PromoEventApplied: 1,
      Responses: 1,
    });
    expect(await countedBy(service, applyPromoCode, () => service.applyPromoCode(at(1)))).toEqual({
      PromoEventRepeated: 1,
      Responses: 1,
    });
  });

  test('PromoEventQueued counts each event that the queue accepted', async () => {
    await using broken = await startService({ PROMO_EVENTS_TABLE_NAME: 'NoSuchTable' });
    const counts = await countedBy(broken, applyPromoCode, async () => {
      for (const promoCode of ['A', 'B']) {
        const { body } = await broken.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode } });
        expect(body.notices).toHaveLength(1);
      }
    });
    expect(counts).toEqual({ PromoEventQueued: 2, Responses: 2 });
  });

  test('an event that neither the table nor the queue accepts is a server error alone', async () => {
    await using cut = await startService({
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
      PROMO_EVENTS_TABLE_NAME: 'NoSuchTable',
    });
    const counts = await countedBy(cut, applyPromoCode, async () => {
      expect((await cut.applyPromoCode()).status).toBe(503);
    });
    expect(counts).toEqual({ ServerErrors: 1, Responses: 1 });
  });

  test('of the queue, events that fail are server errors, and those that are stored count by their kind', async () => {
    await using faulty = await startFaultyService({
      queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 },
    });
    faulty.toDynamoDb.faultOf = noWrites;
    const { lines, logged } = faulty.watchLog();
    await faulty.applyPromoCode();
    await faulty.applyPromoCode({
      headers: { 'Request-Date': new Date(Date.now() + 60_000).toISOString() },
    });
    await logged('A promo event stays in the queue', '"ServerErrors":');
    faulty.toDynamoDb.faultOf = () => undefined;
    await logged('"PromoEventApplied":', '"PromoEventRepeated":');
    const metrics = lines().flatMap((line) => datapointsOf(JSON.parse(line)));
    see(metrics);
    const counts = counted(metrics, storeQueuedPromoEvents.folder);
    const { ServerErrors } = counts;
    // More than one each: a message that takes longer than the visibility timeout is delivered and stored again.
    expect(counts).toEqual({
      ServerErrors: expect.toSatisfy((count) => count > 0),
      PromoEventApplied: expect.toSatisfy((count) => count > 0),
      PromoEventRepeated: expect.toSatisfy((count) => count > 0),
    });
    const version = { service: storeQueuedPromoEvents.folder, stage: STAGE, version: '$LATEST' };
    expect(sumOf(metrics, 'ServerErrors', version)).toBe(ServerErrors);
  });
});

test('of the history, changes that bypass the tools are counted, those that harm a client and those that are skipped as well, and records that fail are server errors', async () => {
  await using faulty = await startFaultyService();
  const client = { clientId: 'edited', appIds: new Set(['key']), fields: [], lastFieldId: 0 };
  const { lines, logged } = faulty.watchLog();
  faulty.toDynamoDb.faultOf = noWrites;
  await faulty.putConfig(client);
  await logged('A change of a client is not recorded yet', '"ServerErrors":');
  faulty.toDynamoDb.faultOf = () => undefined;
  await faulty.putConfig({ ...client, lastFieldId: 1 });
  await faulty.putConfig({ ...client, feilds: [] });
  await logged('A change from outside harmed a client', '"HarmedOutside":');
  // The version has more attributes than the item, which is almost as large as an item may be.
  await faulty.putConfig({ clientId: 'huge', userPoolClientIds: ['x'.repeat(400 * 1024 - 50)] });
  await logged('A change of a client cannot be recorded', '"ChangeSkipped":');
  const metrics = lines().flatMap((line) => datapointsOf(JSON.parse(line)));
  see(metrics);
  expect(counted(metrics, recordConfigurationVersions.folder)).toEqual({
    ServerErrors: expect.toSatisfy((count) => count > 0),
    ChangeSkipped: 1,
    ChangedOutside: 3,
    HarmedOutside: 1,
  });
});

test('LastGoodConfigServed counts each request that is served with a stale client', async () => {
  await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
  for (const operation of OPERATIONS) await uncached.send(operation);
  await close(uncached.servers.database);
  for (const operation of OPERATIONS) {
    const counts = await countedBy(uncached, operation, async () => {
      for (let requests = 0; requests < 2; requests++) {
        expect((await uncached.send(operation)).status).toBe(200);
      }
      const wrong = { headers: { 'App-Id': 'wrong' } };
      expect((await uncached.send(operation, wrong)).status).toBe(401);
    });
    expect(counts).toMatchObject({ LastGoodConfigServed: 2, Responses: 3 });
  }
});

test('of a flood of refused requests, a fraction is logged, and all are counted', async () => {
  await using limited = await startService({ LOG_INTERVAL_SECONDS: '3' });
  const { lines, logged } = limited.watchLog();
  const REQUESTS = 200;
  for (let requests = 0; requests < REQUESTS; requests++) {
    await limited.getConfig({ headers: { 'App-Id': 'wrong' } });
  }
  const unauthorized = () =>
    sumOf(
      lines().flatMap((line) => datapointsOf(JSON.parse(line))),
      'Responses',
      { service: getConfig.folder, stage: STAGE, code: 'Unauthorized' },
    );
  const refused = () =>
    lines()
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message === 'Request refused');
  const sent = REQUESTS + 1;
  // The next line of each kind is written after the interval.
  await new Promise((resolve) => setTimeout(resolve, 3100));
  await limited.getConfig({ headers: { 'App-Id': 'wrong' } });
  await logged('"suppressed":');
  expect(refused().length).toBeLessThan(60);
  const suppressed = refused().reduce((sum, line) => sum + (line.suppressed ?? 0), 0);
  expect(refused().length + suppressed).toBe(sent);
  await expect.poll(unauthorized).toBe(sent);
  expect(lines().length).toBeLessThan(120);
});

test('the tests have triggered each metric that alarms and graphs may use', () => {
  const sorted = Object.fromEntries(
    [...seen].map(([service, names]) => [service, [...names].sort()]),
  );
  expect(sorted).toEqual(EMITTED_METRICS);
});
