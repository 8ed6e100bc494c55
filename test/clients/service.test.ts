import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIdToken, type TokenOptions } from '../../local/id-token.ts';
import { DOCUMENT } from '../../openapi/validation.ts';
import { noWrites } from '../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';
import { DRIVEN, Driver, type GeneratedCall, type Outcome } from './driver.ts';

let service: FaultyService;
/** Its gateway takes one request, and no more for a long time. */
let throttled: Service;
/** Its table of clients is missing. */
let broken: Service;
beforeAll(async () => {
  [service, throttled, broken] = await Promise.all([
    startFaultyService(),
    startService({}, undefined, { requestsPerSecond: 0.001, burst: 1 }),
    startService({ CONFIGS_TABLE_NAME: 'NoSuchTable' }),
  ]);
});
afterAll(() => Promise.all([service.stop(), throttled.stop(), broken.stop()]));

/** A call, and the changes that make it fail. */
interface Change extends Partial<Omit<GeneratedCall, 'idToken'>> {
  readonly token?: TokenOptions;
}

async function send(
  driver: Driver,
  { outputs, issuer }: Service,
  { token = {}, ...change }: Change = {},
): Promise<Outcome> {
  return driver.call({
    call: 'applyPromoCode',
    baseUrl: outputs.ApiUrl,
    idToken: await signIdToken(issuer, token),
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: new Date().toISOString(),
    request: PROMO_REQUEST,
    error: 'ErrorResponse',
    ...change,
  });
}

/** The rows of the error table: how to get each of them with a generated client. */
const ROWS: readonly {
  readonly row: string;
  readonly answer: (driver: Driver) => Promise<Outcome>;
}[] = [
  {
    row: '400 NotAuthorizedException',
    answer: (driver) => send(driver, service, { token: { expiresInSeconds: -5 } }),
  },
  {
    row: '400 ValidationException',
    answer: (driver) =>
      send(driver, service, { request: { ...PROMO_REQUEST, promoCode: '12345678901' } }),
  },
  {
    row: '401 Unauthorized',
    answer: (driver) => send(driver, service, { appId: 'wrong', error: 'UnauthorizedResponse' }),
  },
  {
    row: '403 ForbiddenException',
    answer: (driver) => send(driver, service, { token: { user: 'somebody-else' } }),
  },
  {
    row: '404 ResourceNotFoundException',
    answer: (driver) => send(driver, service, { baseUrl: `${service.outputs.ApiUrl}/nowhere` }),
  },
  {
    row: '405 MethodNotAllowedException',
    // A generated client sends no other method, so it only decodes the response.
    answer: async (driver) => {
      const { status, body } = await service.call('/promoCode/apply', { method: 'GET' });
      const { value } = await driver.decode('ErrorResponse', body);
      return { status, error: value };
    },
  },
  {
    row: '413 PayloadTooLargeException',
    answer: (driver) =>
      send(driver, service, {
        request: { ...PROMO_REQUEST, promoCodeToken: 'x'.repeat(16 * 1024) },
      }),
  },
  {
    row: '429 ThrottlingException',
    answer: async (driver) => {
      await send(driver, throttled, { call: 'getConfig', request: { clientId: 'demo' } });
      return send(driver, throttled, { call: 'getConfig', request: { clientId: 'demo' } });
    },
  },
  { row: '500 InternalServerError', answer: (driver) => send(driver, broken) },
  {
    row: '503 ServiceUnavailableException',
    answer: async (driver) => {
      service.toDynamoDb.faultOf = () => 'connection reset, not executed';
      const request = { ...PROMO_REQUEST, clientId: 'acme' };
      const outcome = await send(driver, service, { request, appId: 'acme-app-key' });
      service.toDynamoDb.faultOf = () => undefined;
      return outcome;
    },
  },
];

test('there is a call for each row of the error table', () => {
  const responses = Object.values<{ content: Record<string, { examples: object }> }>(
    DOCUMENT.components.responses,
  );
  const rows = responses
    .flatMap(({ content }) => Object.values(content['application/json']?.examples ?? {}))
    .map(({ value }) => `${value.data.statusCode} ${value.data.code}`);
  expect(ROWS.map(({ row }) => row)).toEqual([...new Set(rows)].sort());
});

describe.each(DRIVEN)('the generated client in $language', (driven) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await Driver.start(driven);
  });
  afterAll(() => driver.stop());

  test('gets a configuration with each kind of field', async () => {
    const demo = await service.getConfig();
    const { lastFieldId } = demo.body.data;
    const { subFieldB: text, subFieldA: drop } = demo.body.data.fields[2];
    const combos = [
      [text, text],
      [text, drop],
      [drop, text],
      [drop, drop],
    ].map(([subFieldA, subFieldB], index) => ({
      ...{ ...demo.body.data.fields[2], subFieldA, subFieldB },
      ...(index === 0 && { appUIs: ['profile'], allowMultiple: true }),
      id: `combo-${index}`,
    }));
    const item = { clientId: 'kinds', appIds: ['kinds-key'], lastFieldId };
    await service.putConfig({ ...item, fields: [...demo.body.data.fields.slice(0, 2), ...combos] });
    const request = { clientId: 'kinds' };
    const expected = await service.getConfig({ body: request, headers: { 'App-Id': 'kinds-key' } });
    expect(expected.body.data.fields).toHaveLength(6);
    for (const call of ['getConfig', 'getConfigAtCustomData'] as const) {
      const outcome = await send(driver, service, { call, request, appId: 'kinds-key' });
      expect(outcome).toEqual({ value: expected.body });
    }
  });

  test('applies a code, and says what became of it', async () => {
    const request = { ...PROMO_REQUEST, promoCode: driven.language };
    const requestDate = new Date().toISOString();
    const results = [
      await send(driver, service, { request, requestDate }),
      await send(driver, service, { request, requestDate }),
      await send(driver, service, { request }),
    ];
    expect(results.map(({ value }) => value.data.outcome)).toEqual([
      'applied',
      'applied',
      'repeated',
    ]);
  });

  test('receives the notice about a code that waits in the queue', async () => {
    service.toDynamoDb.faultOf = noWrites;
    const request = { ...PROMO_REQUEST, promoCode: `Q-${driven.language}` };
    const { value } = await send(driver, service, { request });
    service.toDynamoDb.faultOf = () => undefined;
    expect(value.notices).toEqual(['The promo code is being processed.']);
    expect(value.data.outcome).toBe('queued');
  });

  test.each(ROWS)('decodes $row', async ({ row, answer }) => {
    const [status, code] = row.split(' ');
    const outcome = await answer(driver);
    expect(outcome).toEqual({
      status: Number(status),
      error: expect.objectContaining({
        errors: [expect.objectContaining({ code })],
        data: expect.objectContaining({ code, statusCode: Number(status) }),
      }),
    });
  });

  test('ignores properties that a later release may add', async () => {
    const { body } = await service.getConfig();
    const { value } = await driver.decode('GetConfigResponse', withAdditions(body));
    // The client in Java keeps them apart from the properties that it knows.
    expect(withoutAdditions(value)).toEqual(body);
  });
});

test('a property that the document does not describe causes a warning', async () => {
  const [, java] = DRIVEN;
  const driver = await Driver.start(java);
  const request = { clientId: 'demo', later: 1 };
  const { value } = await send(driver, service, { call: 'getConfig', request });
  await driver.stop();
  expect(value.warnings).toEqual(['1 value was removed from the request data: later.']);
});

/** Adds a property to each object, except to those that are always empty. */
function withAdditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return value;
  const changed = entries.map(([key, child]) => [key, withAdditions(child)]);
  return { ...Object.fromEntries(changed), later: { values: [1, null] } };
}

function withoutAdditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const { later, ...known } = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(known).map(([key, child]) => [key, withoutAdditions(child)]),
  );
}
