import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { close } from '../../../local/listen.ts';
import { type LogLine, logOf } from '../../support/log.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/* Each metric is one line in the embedded metric format, with the client beside it and not among its dimensions. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const metricsIn = (lines: readonly LogLine[]) => lines.filter((line) => '_aws' in line);

/** The line of a metric, as CloudWatch reads it. */
const metric = (name: string, value: number, operation: string, metadata: object) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'CustomerDataApi',
        Dimensions: [['service']],
        Metrics: [{ Name: name, Unit: 'Count' }],
      },
    ],
  },
  service: operation,
  [name]: value,
  ...metadata,
});

const DAMAGED = { id: '1', fieldType: 'date' };

describe('FieldsLeftOut', () => {
  test('counts the fields that each response omits, and logs each problem once', async () => {
    await service.putConfig({
      clientId: 'damaged',
      appIds: ['demo-app-key'],
      fields: [DAMAGED, 7, null],
      lastFieldId: 3,
    });
    const lines = await logOf(service, getConfig, async () => {
      for (let requests = 0; requests < 3; requests++) {
        const { body } = await service.getConfig({ body: { clientId: 'damaged' } });
        expect(body.warnings).toHaveLength(1);
      }
    });
    const omitted = metric('FieldsLeftOut', 3, 'get-config', { clientId: 'damaged' });
    expect(metricsIn(lines)).toEqual([omitted, omitted, omitted]);
    const problems = lines.filter(({ message }) => message === 'Configuration to correct');
    expect(problems).toHaveLength(3);
    for (const line of problems) {
      expect(line).toMatchObject({ level: 'ERROR', clientId: 'damaged' });
    }
  });

  test('is not counted for a configuration that is whole', async () => {
    const lines = await logOf(service, getConfig, () => service.getConfig());
    expect(lines).toEqual([]);
  });
});

describe('UserBindingRefused', () => {
  test('counts each request of a token that belongs to another user', async () => {
    const lines = await logOf(service, applyPromoCode, async () => {
      for (const user of ['one', 'other']) {
        const { status } = await service.applyPromoCode({ token: { user } });
        expect(status).toBe(403);
      }
      expect((await service.applyPromoCode()).status).toBe(200);
    });
    const line = metric('UserBindingRefused', 1, 'apply-promo-code', {
      clientId: 'demo',
      claim: 'sub',
    });
    expect(metricsIn(lines)).toEqual([line, line]);
  });

  test('is not counted for a request that an earlier check refuses', async () => {
    const lines = await logOf(service, applyPromoCode, () =>
      service.applyPromoCode({ token: { user: 'another' }, headers: { 'App-Id': 'wrong' } }),
    );
    expect(metricsIn(lines)).toEqual([]);
  });
});

describe('PromoEventQueued', () => {
  test('counts each event that the queue accepted, and none that the table accepted', async () => {
    await using broken = await startService({ PROMO_EVENTS_TABLE_NAME: 'NoSuchTable' });
    const lines = await logOf(broken, applyPromoCode, async () => {
      for (const promoCode of ['A', 'B']) {
        const { body } = await broken.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode } });
        expect(body.notices).toHaveLength(1);
      }
    });
    const ofEvents = metricsIn(lines).filter(({ service }) => service === 'apply-promo-code');
    const line = metric('PromoEventQueued', 1, 'apply-promo-code', { clientId: 'demo' });
    expect(ofEvents).toEqual([line, line]);
    const stored = await logOf(service, applyPromoCode, () => service.applyPromoCode());
    expect(metricsIn(stored)).toEqual([]);
  });

  test('is not counted if the queue does not accept the event either', async () => {
    await using cut = await startService({
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
      PROMO_EVENTS_TABLE_NAME: 'NoSuchTable',
    });
    const lines = await logOf(cut, applyPromoCode, async () => {
      expect((await cut.applyPromoCode()).status).toBe(503);
    });
    expect(metricsIn(lines)).toEqual([]);
  });
});

test('LastGoodConfigServed counts each request that is served with a stale client', async () => {
  await using uncached = await startService({ CONFIG_CACHE_SECONDS: '0' });
  await uncached.getConfig();
  await close(uncached.servers.database);
  const lines = await logOf(uncached, getConfig, async () => {
    for (let requests = 0; requests < 2; requests++) {
      expect((await uncached.getConfig()).status).toBe(200);
    }
    expect((await uncached.getConfig({ headers: { 'App-Id': 'wrong' } })).status).toBe(401);
  });
  const line = metric('LastGoodConfigServed', 1, 'get-config', { clientId: 'demo' });
  expect(metricsIn(lines)).toEqual([line, line]);
});
