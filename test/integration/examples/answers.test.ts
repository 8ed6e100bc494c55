import { readFile } from 'node:fs/promises';
import { signIdToken, type TokenOptions } from 'customer-data-api-deployment/local';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { startAnswersApi } from '../../support/answers-api.ts';
import { type Service, startService } from '../../support/service.ts';

/* The API that stores answers, over HTTP: the bundle that its stack deploys, beside the service. */

const GUEST = 'guest';
const APP_ID = 'answers-app-key';
const started = new AsyncDisposableStack();
let service: Service;
let url: string;
beforeAll(async () => {
  service = started.use(await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } }));
  ({ url } = started.use(await startAnswersApi(service, { appId: APP_ID, guests: [GUEST] })));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await started.disposeAsync();
});

const demo = parse(await readFile('examples/demo.yaml', 'utf8'));
/** The fields of the example, of whose first answer so many characters are permitted. */
const fields = (maxChars: number, translations = {}) => {
  const [company, ...others] = demo.fields;
  const subFieldA = { ...company.subFieldA, maxChars };
  return [{ ...company, subFieldA, translations }, ...others];
};
let clients = 0;
/** Creates a client whose item has the App-Ids of its app and of this API. */
async function newClient(more: object = {}) {
  clients += 1;
  const clientId = `client/${clients}`;
  const put = (maxChars: number, translations?: object) =>
    service.putConfig({
      ...demo,
      clientId,
      appIds: ['demo-app-key', APP_ID],
      language: 'en',
      fields: fields(maxChars, translations),
      ...more,
    });
  await put(10);
  /** The version that a phone gets. */
  const version = async (headers: Record<string, string> = {}) =>
    String((await service.getConfig({ body: { clientId }, headers })).headers['config-version']);
  return { clientId, put, version };
}

interface Sent extends RequestInit {
  readonly token?: TokenOptions;
  readonly phone?: Record<string, string>;
}
async function call({ token, phone, ...request }: Sent, query = '') {
  const Authorization = `Bearer ${await signIdToken(service.issuer, token)}`;
  const headers = { 'Content-Type': 'application/json', Authorization, ...phone };
  const response = await fetch(`${url}${query}`, { headers, ...request });
  // biome-ignore lint/suspicious/noExplicitAny: each request has its own data
  const body: any = await response.json();
  expect(Object.keys(body).slice(0, 4).sort()).toEqual(['data', 'errors', 'notices', 'warnings']);
  return { status: response.status, ...body };
}
const send = (body: object | string, more: Sent = {}) =>
  call({ method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...more });
const read = async (clientId: string, user: string) =>
  (await call({ token: { user } }, `?clientId=${encodeURIComponent(clientId)}`)).data;

test('answers of all kinds of fields come back, of two screens that two phones save at once', async () => {
  const { clientId, put, version } = await newClient();
  const token = { user: 'ann' };
  const older = await version();
  const about = { clientId, configVersion: older, screen: 'register' };
  const entered = { 1: [[' Zoe\u0308 ']], 2: [['mail']], 3: [['vw', 'A 1']], 4: [['2019']] };
  const first = await send({ ...about, answers: entered }, { token });
  expect(first).toMatchObject({ status: 200, warnings: [expect.stringContaining('4')] });
  expect((await read(clientId, 'ann')).answers).toEqual({
    1: [['Zo\u00eb']],
    2: [['mail']],
    3: [['vw', 'A 1']],
  });
  await put(5, { de: { fieldName: 'Firma' } });
  const configVersion = await version();
  const phone = { 'Accept-Language': 'de, en;q=0.5' };
  const phones = await Promise.all([
    send({ ...about, answers: { 1: [['Zoo Berlin']], 2: [['none']] } }, { token, phone }),
    send(
      {
        clientId,
        configVersion,
        screen: 'profile',
        answers: { 2: [['none']], 3: [], 4: [['2019'], [''], ['2021']] },
      },
      { token, phone },
    ),
  ]);
  expect(phones.map(({ status }) => status)).toEqual([200, 200]);
  const { answers, saved } = await read(clientId, 'ann');
  expect(answers).toEqual({ 1: [['Zoo Berlin']], 2: [['none']], 3: [], 4: [['2019'], ['2021']] });
  const formOf = new Map(
    saved.map(({ id, answers: _, ...form }: { id: string; answers: object }) => [id, form]),
  );
  // The older form is not in German: nobody knows in which language a phone showed it.
  expect(formOf.get('1')).toEqual({ configVersion: older, language: null });
  expect(formOf.get('4')).toEqual({ configVersion, language: 'de' });
  expect((await read(clientId, 'bob')).answers).toEqual({});
});

test('a version that was never seen is refused, and the candidate of a rollout is not', async () => {
  const { clientId, version } = await newClient({
    rollout: { id: 'r', percent: 0, devices: ['phone-1'], fields: fields(3), lastFieldId: 4 },
  });
  const phone = { 'Installation-Id': 'phone-1' };
  const configVersion = await version(phone);
  expect(configVersion).not.toBe(await version());
  const body = { clientId, configVersion, screen: 'register', answers: { 2: [['mail']] } };
  const refused = await send(body);
  expect(refused).toMatchObject({
    status: 409,
    data: { code: 'ConflictException', retryable: false },
  });
  expect(await send(body, { phone })).toMatchObject({ status: 200 });
  // It is known from now on.
  expect(await send(body)).toMatchObject({ status: 200 });
});

test('problems of the body have a code, a pointer and a message each', async () => {
  const { clientId, version } = await newClient();
  const body = { clientId, configVersion: await version(), screen: 'profile' };
  const pointersOf = async (sent: object | string) => {
    const { status, errors } = await send(sent);
    return [
      status,
      ...errors.map((one: Record<string, string>) => `${one.pointer} ${one.reason ?? one.message}`),
    ];
  };
  const answers = { 3: [['fiat', 'x'.repeat(11)]] };
  expect(await pointersOf({ ...body, answers })).toEqual([
    400,
    '/answers/2/0/0 missing',
    '/answers/3/0/0 noOption',
    '/answers/3/0/1 tooLong',
  ]);
  const wrong = await pointersOf({ ...body, screen: 'kiosk', answers: { 'a/b': [1] } });
  expect(wrong).toEqual([
    400,
    expect.stringMatching(/^\/screen /),
    expect.stringMatching(/^\/answers\/a~1b\/0 /),
  ]);
  expect((await send('{')).status).toBe(400);
  expect((await send('x'.repeat(65_537))).status).toBe(413);
});

test.each<[why: string, status: number, code: string, sent: Sent]>([
  ['a guest', 403, 'ForbiddenException', { token: { user: GUEST } }],
  ['an expired token', 400, 'NotAuthorizedException', { token: { expiresInSeconds: -1 } }],
  ['an access token', 401, 'Unauthorized', { token: { claims: { token_use: 'access' } } }],
  ['another app client', 401, 'Unauthorized', { token: { claims: { aud: 'other' } } }],
  ['no token', 401, 'Unauthorized', { phone: { Authorization: 'Bearer ' } }],
])('%s is refused, to store and to read', async (_, status, code, sent) => {
  const { clientId, version } = await newClient();
  const body = { clientId, configVersion: await version(), screen: 'register', answers: {} };
  const refused = { status, data: { code, statusCode: status } };
  expect(await send(body, sent)).toMatchObject(refused);
  expect(await call(sent, `?clientId=${clientId}`)).toMatchObject(refused);
});

test('a client that does not accept the token of the customer is refused, as by the service', async () => {
  const { clientId, version } = await newClient();
  const body = {
    clientId,
    configVersion: await version(),
    screen: 'register',
    answers: { 2: [['mail']] },
  };
  expect((await send(body)).status).toBe(200);
  await service.putConfig({ clientId, appIds: [APP_ID], userPoolClientIds: ['other'] });
  expect(await send(body)).toMatchObject({ status: 401, data: { code: 'Unauthorized' } });
});

test('while the service does not answer, the app is told to try again', async () => {
  const { clientId, version } = await newClient();
  const body = { clientId, configVersion: await version(), screen: 'register', answers: {} };
  const { fetch: real } = globalThis;
  vi.stubGlobal('fetch', (to: string, ...more: [RequestInit]) =>
    to.startsWith(url) ? real(to, ...more) : Promise.reject(new TypeError('offline')),
  );
  const refused = await send(body).finally(() => vi.unstubAllGlobals());
  expect(refused).toMatchObject({ status: 503, data: { retryable: true } });
});

test('an address of a customer counts once Cognito has verified it', async () => {
  const settings = { appId: APP_ID, userIdClaim: 'email' };
  await using other = await startAnswersApi(service, settings);
  const statusFor = async (claims: object) => {
    const Authorization = `Bearer ${await signIdToken(service.issuer, { claims: { ...claims } })}`;
    return (await fetch(`${other.url}?clientId=demo`, { headers: { Authorization } })).status;
  };
  const email = 'ann@shop.example';
  expect(await statusFor({ email, email_verified: false })).toBe(403);
  expect(await statusFor({ email, email_verified: true })).toBe(200);
  expect(await statusFor({})).toBe(403);
});
