import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT } from '../../openapi/validation.ts';
import { signIdToken, type TokenOptions } from '../../packages/deployment/local/id-token.ts';
import { type FaultyService, startFaultyService } from '../../test/support/faulty-service.ts';
import { PROMO_REQUEST } from '../../test/support/service.ts';
import { translatedDemo } from '../../test/support/translated-demo.ts';
import { DRIVEN, type Driver, type GeneratedCall, startDriver } from './driver.ts';

let service: FaultyService;
beforeAll(async () => {
  service = await startFaultyService();
  await service.putConfig(translatedDemo());
});
afterAll(() => service.stop());

/** Changes of a valid call. */
type Change = Partial<Omit<GeneratedCall, 'idToken'>> & { readonly token?: TokenOptions };

async function send(driver: Driver, { token = {}, ...change }: Change = {}) {
  return driver.call({
    call: 'applyPromoCode',
    baseUrl: service.outputs.ApiUrl,
    idToken: await signIdToken(service.issuer, token),
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: new Date().toISOString(),
    language: 'de-AT',
    request: PROMO_REQUEST,
    error: 'ErrorEnvelope',
    ...change,
  });
}

/**
 * The examples of error responses, with their schemas. Other tests compare what the service answers
 * with them.
 */
const ERRORS = Object.values<{ content: Record<string, Content> }>(
  DOCUMENT.components.responses,
).flatMap(({ content }) => {
  const { schema, examples } = content['application/json'] as Content;
  const name = schema.$ref.replace(/.*\//, '');
  return Object.values(examples).map(({ value }) => ({ name, value, code: value.data.code }));
});
interface Content {
  readonly schema: { readonly $ref: string };
  readonly examples: Readonly<Record<string, { value: { data: { code: string } } }>>;
}

describe.each(DRIVEN)('the generated client in $language', (driven) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await startDriver(driven);
  });
  afterAll(() => driver.stop());

  test('decodes a configuration, in the language that it asks for', async () => {
    const { body } = await service.getConfig({ headers: { 'Accept-Language': 'de' } });
    expect(body.data.fields[0].fieldName).toBe('Firma');
    const request = { clientId: 'demo' };
    expect(await send(driver, { call: 'getConfig', request })).toEqual({ value: body });
  });

  test('applies a code, and says what became of it', async () => {
    const request = { ...PROMO_REQUEST, promoCode: driven.language };
    const requestDate = new Date().toISOString();
    const results = [
      await send(driver, { request, requestDate }),
      await send(driver, { request, requestDate }),
      await send(driver, { request }),
    ];
    const outcomes = results.map(({ value }) => value.data.outcome);
    expect(outcomes).toEqual(['applied', 'applied', 'repeated']);
  });

  test.each(ERRORS)('decodes $code', async ({ name, value }) => {
    expect(await driver.decode(name, value)).toEqual({ value });
  });

  test('passes the body and the status of an error to the app', async () => {
    const outcomes = [
      await send(driver, { token: { expiresInSeconds: -5 } }),
      await send(driver, { appId: 'wrong', error: 'UnauthorizedEnvelope' }),
    ];
    service.toDynamoDb.faultOf = () => 'connection reset, not executed';
    const request = { ...PROMO_REQUEST, clientId: 'acme' };
    outcomes.push(await send(driver, { request, appId: 'acme-app-key' }));
    service.toDynamoDb.faultOf = () => undefined;
    const error = (code: string) => ({ data: { code } });
    expect(outcomes).toMatchObject([
      { status: 400, error: error('NotAuthorizedException') },
      { status: 401, error: error('Unauthorized') },
      { status: 503, error: error('ServiceUnavailableException') },
    ]);
  });

  test('ignores properties that a later release may add', async () => {
    const { body } = await service.getConfig();
    // In each object, except in those that are always empty.
    const text = JSON.stringify(body).replaceAll(/\{(?=")/g, '{"later":{"values":[1,null]},');
    const { value } = await driver.decode('GetConfigEnvelope', JSON.parse(text));
    // The client in Python keeps them apart from the properties that it knows.
    const known = JSON.stringify(value, (key, child) => (key === 'later' ? undefined : child));
    expect(JSON.parse(known)).toEqual(body);
  });

  test('decodes kinds of fields and outcomes that a later release may add only in Go', async () => {
    const { data } = (await service.getConfig()).body;
    const fields = [...data.fields, { ...data.fields[0], fieldType: 'later' }];
    const applied = (await service.applyPromoCode()).body;
    const later = { ...applied, data: { ...applied.data, outcome: 'later' } };
    const decoded = [
      await driver.decode('ConfigurationResult', { ...data, fields }),
      await driver.decode('ApplyPromoCodeEnvelope', later),
    ];
    const failed = { failure: expect.any(String) };
    expect(decoded).toMatchObject(
      driven.language === 'go' ? [{ value: data }, { value: later }] : [failed, failed],
    );
  });
});
