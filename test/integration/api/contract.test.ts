import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import {
  generateSigningKey,
  issuerOf,
  type SigningKey,
  signIdToken,
  signToken,
  type TokenOptions,
} from 'customer-data-api-deployment/local';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { fingerprintOf } from '../../../core/clients/app-id-fingerprint.ts';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { HEADERS } from '../../../functions/http/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { Changes } from '../../support/changed-assembly.ts';
import { type Fault, noWrites } from '../../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { type ServiceResponse, startService } from '../../support/service.ts';

/*
 * The HTTP contract: what is wrong with a request, what the caller is told, and what the operator
 * finds in the log. The wrong values contain `hush`, so that the whole log can be searched for what
 * a request carried.
 */

/** A valid token in its parts, and what to sign another one with. */
interface Parts {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  readonly key: SigningKey;
  readonly kid: string;
  /** A key that is not the user pool's. */
  readonly other: SigningKey;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Signs the claims of the valid token, with other ones. */
  readonly sign: (header: object, key?: Key, changed?: object) => Promise<string>;
}
type Environment = NonNullable<Changes['environment']>;
type Key = SigningKey | Uint8Array;
type MakeToken = (parts: Parts) => string | Promise<string>;

interface Sent {
  readonly headers?: OutgoingHttpHeaders;
  readonly token?: TokenOptions | MakeToken;
  /** Properties that replace those of the example, or the whole body. */
  readonly body?: Readonly<Record<string, unknown>> | string | Buffer;
}

/** A flaw of a request, the outcome (see `outcomeOf`), and the client and the reason in the log. */
interface Flaw {
  readonly name: string;
  readonly sent: Sent;
  readonly expected: string;
  readonly why: string;
}

const UNAUTHORIZED = '401 Unauthorized';
const INVALID = '400 ValidationException';
const EXPIRED = '400 NotAuthorizedException Authorization';
const FORBIDDEN = '403 ForbiddenException #/userId';
const TOO_LARGE = '413 PayloadTooLargeException';
const UNAVAILABLE = '503 ServiceUnavailableException';
const FAILED = '500 InternalServerError';

const NO_KEY_SET = { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: 'http://127.0.0.1:9' };
const APP_ID = 'demo-app-key';
const NO_APP_ID = "demo: Error: App-Id is not one of the client's";
const HAS_EXPIRED = 'undefined: Error: the token of app client ';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const dateIn = (ms: number) => new Date(Date.now() + ms).toISOString();

const base64 = (text: string) => Buffer.from(text).toString('base64url');
const encode = (value: unknown) => base64(JSON.stringify(value));
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const publicOf = ({ kty, n, e }: SigningKey) => ({ kty, n, e });
const pemOf = (key: SigningKey) =>
  createPublicKey({ key: publicOf(key) as never, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

const flaw = (name: string, sent: Sent, expected: string, why = ''): Flaw => ({
  name,
  sent,
  expected,
  why,
});
const header = (
  name: string,
  value?: string | string[],
  reason = value === undefined || value === ' ' ? 'missing' : 'malformed',
) => flaw(`${name}: ${value}`, { headers: { [name]: value } }, `${UNAUTHORIZED} ${name}:${reason}`);
const token = (name: string, made: TokenOptions | MakeToken, why?: string) =>
  flaw(name, { token: made }, UNAUTHORIZED, why);
const claims = (name: string, changed: Readonly<Record<string, unknown>>, why?: string) =>
  token(name, { claims: changed }, why);
/** A token that is signed with a key of the attacker. */
const forged = (name: string, headerOf: (parts: Parts) => object) =>
  token(
    name,
    (parts) => parts.sign({ alg: 'RS256', kid: parts.kid, ...headerOf(parts) }, parts.other),
    'undefined: Error: the token is not signed by the user pool',
  );
const notAToken = (text: string) =>
  token(`not a token: ${text}`, () => text, 'undefined: Error: the token cannot be parsed');
const body = (name: string, raw: string | Buffer, expected = `${INVALID} #`) =>
  flaw(name, { body: raw }, expected);
/** The log names the client of a body in which something else is wrong. */
const property = (name: string, value: unknown, what = JSON.stringify(value)) =>
  flaw(
    `${name}: ${what}`,
    { body: { [name]: value } },
    `${INVALID} #/${name}`,
    name === 'clientId' ? 'undefined: ' : 'demo: ',
  );
const tooLong = (name: string, value: string) => property(name, value, `${[...value].length}`);
const client = (name: string, clientId: string, why?: string) =>
  flaw(name, { body: { clientId } }, UNAUTHORIZED, why);

/** Dates of phones with another calendar or other digits. */
const OTHER_CALENDARS = [
  '2569-11-25T09:30:00Z',
  '0008-11-25T09:30:00Z',
  '1405-09-04T09:30:00Z',
  '1969-12-31T23:59:59Z',
  ...['2101-01-01T00:00:00Z', '٢٠٢٦-١١-٢٥T٠٩:٣٠:٠٠Z', '2026-1-5T9:30:00Z'].map((date) =>
    // Headers are bytes.
    Buffer.from(date).toString('latin1'),
  ),
];

/**
 * The checks in their order: the first one that fails determines the response. The first flaws of
 * two can be combined.
 */
const CHECKS = {
  headers: [
    header('Device-Id'),
    ...Object.values(HEADERS).flatMap(({ name }) => [header(name), header(name, ' ')]),
    flaw(
      'several headers',
      { headers: { 'Device-Id': undefined, 'Request-Date': 'hush', 'App-Id': '' } },
      `${UNAUTHORIZED} App-Id:missing Device-Id:missing Request-Date:malformed`,
    ),
    header('App-Id', ['demo-app-key', 'hush']),
    header('App-Id', ['hush', 'demo-app-key']),
    header('Device-Id', ['hush', 'hush']),
    ...['text/plain', 'x-application/json', 'application/jsonp', 'application/json hush']
      .concat('application/json, text/plain', 'application/json; a="b, text/plain', ',')
      .map((value) => header('Content-Type', value)),
    header('Content-Type', ['application/json', 'text/plain']),
    ...['Basic aHVzaDpodXNo', 'Bearer', 'hush.hush.hush', 'x Bearer a.b.c', 'Bearer\ta.b.c']
      .concat('Bearer "a.b.c"', 'Bearer a.b.c, Bearer a.b.c', 'Bearer a.b.c.d', 'Bearer a..c')
      .concat('Bearer undefined', 'Bearer hush.hush')
      .map((value) => header('Authorization', value)),
    ...['undefined', 'null', 'NULL', '[object Object]', '(null)', 'None', 'NaN', '"undefined"']
      .concat('demo-app-key, demo-app-key', 'demo-app-key,demo-app-key,demo-app-key')
      .map((value) => header('App-Id', value)),
    header('App-Id', 'x'.repeat(129)),
    header('Device-Id', 'x'.repeat(129)),
    header('Device-Id', 'hush\u0080'),
    header('Device-Id', Buffer.from('hush 🎁').toString('latin1')),
    header('Request-Date', '2026-11-20T09:30:00+02:00'),
    ...OTHER_CALENDARS.map((date) => header('Request-Date', date)),
    header('Request-Date', '2026-02-30T09:30:00Z'),
    header('Request-Date', dateIn(-DAY - 10 * MINUTE), 'wrongClock'),
    header('Request-Date', dateIn(DAY + 10 * MINUTE), 'wrongClock'),
  ],
  token: [
    flaw('an expired token', { token: { expiresInSeconds: -1 } }, EXPIRED, HAS_EXPIRED),
    claims('another audience', { aud: 'another' }, 'not allowed: another'),
    token('a list of audiences', (of) => of.sign({}, of.key, { aud: ['x', of.claims.aud] })),
    claims('no audience', { aud: null }),
    claims('another issuer', { iss: 'https://hush.example' }, 'the issuer is not the user pool'),
    claims('another user pool', { iss: issuerOf('us-east-1_Hush') }, 'the issuer is not the'),
    claims('an access token', { token_use: 'access', client_id: 'hush', aud: null }),
    claims('an access token with an audience', { token_use: 'access' }, 'Token use not allowed'),
    claims('a token that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3600 }),
    claims(
      'a token that JavaScript has no date for',
      { nbf: 8_640_000_000_001 },
      'cannot be used yet',
    ),
    flaw('expired before all dates', { token: { claims: { exp: -1e300 } } }, EXPIRED, HAS_EXPIRED),
    claims('expired before all dates, and for another audience', { exp: -1e300, aud: 'another' }),
    claims('no expiry', { exp: null }),
    claims('an expiry that is a string', { exp: '9999999999' }),
    // Only a token that was once valid here has expired.
    claims('expired, and for another audience', { exp: 1, aud: 'another' }),
    claims('expired, and of another issuer', { exp: 1, iss: 'https://hush.example' }),
    claims('expired, and an access token', { exp: 1, token_use: 'access' }),
    token('expired, and forged', (of) => of.sign({}, of.other, { exp: 1 })),
    token('alg none without a signature', (of) => `${encode({ alg: 'none' })}.${of.payload}.`),
    token(
      'alg none with the right kid and a signature',
      (of) => `${encode({ alg: 'none', kid: of.kid })}.${of.payload}.${of.signature}`,
    ),
    token('HS256 with the key as PEM', (of) =>
      of.sign({ alg: 'HS256' }, Buffer.from(pemOf(of.key))),
    ),
    token('no kid', (of) => of.sign({ kid: undefined })),
    token(
      'an altered payload',
      (of) => `${of.header}.${encode({ ...of.claims, sub: 'hush' })}.${of.signature}`,
    ),
    token('a short signature', (of) => `${of.header}.${of.payload}.${of.signature.slice(8)}`),
    forged('another key with the right kid', () => ({})),
    forged('an unknown kid', () => ({ kid: 'hush' })),
    forged('a jku of the attacker', ({ other }) => ({ kid: other.kid, jku: 'http://hush.test' })),
    forged('a jwk of the attacker', ({ other }) => ({ jwk: publicOf(other) })),
    // The library's errors quote what they cannot parse or do not know, and V8 a short text as a
    // whole.
    notAToken('hush.hush.hush'),
    notAToken(`${encode({ alg: 'RS256', kid: 'hush' })}.${base64('{"user":hush}')}.hush`),
    notAToken(`${encode({ alg: 'RS256', kid: 'hush' })}.${encode([])}.hush`),
    notAToken(`${base64('{"alg":hush}')}.${encode({})}.hush`),
  ],
  body: [
    property('clientId', 7),
    body('no body', ''),
    body('not JSON', '{"userId":"hush"'),
    body('two byte order marks', '\uFEFF\uFEFF{"clientId":"demo"}'),
    body('UTF-16', Buffer.from('{"clientId":"demo"}', 'utf16le')),
    body('8,000 nested lists', '['.repeat(8000) + ']'.repeat(8000)),
    ...['null', '[]', '"hush"', '7', '{} {}', '{}\0'].map((raw) => body(raw, raw)),
    body('__proto__', '{"clientId":"demo","\\u005f_proto__":{}}', `${INVALID} #/__proto__`),
    body('a deep __proto__', '{"a/b":[{"~":{"__proto__":1}}]}', `${INVALID} #/a~1b/0/~0/__proto__`),
    body('a byte more than 16 KB', `{"é":"${'x'.repeat(16 * 1024 - 8)}"}`, TOO_LARGE),
    ...['clientId', 'userId', 'promoCode', 'eventType', 'source'].flatMap((name) =>
      [undefined, ['hush'], { S: 'hush' }, '', 'hush\u0000', '\udf81\ud83c', 'hu\ufffdh'].map(
        (value) => property(name, value),
      ),
    ),
    ...[7, ['hush'], 'hush\n', '\ufffd'].map((value) => property('promoCodeToken', value)),
    // Identifiers are counted in bytes, because DynamoDB limits keys in bytes; the others in code
    // points.
    ...['clientId', 'userId'].flatMap((name) => [
      tooLong(name, 'é'.repeat(128)),
      tooLong(name, 'x'.repeat(256)),
    ]),
    ...['   ', ' \u200b\ufeff ', '\u{e0067}\ufe0f', '\u2800', '\ufffc\ufffb'].map((value) =>
      property('promoCode', value),
    ),
    tooLong('promoCode', '12345678901'),
    tooLong('promoCode', '🎁'.repeat(11)),
    // The normal form of this letter is two of them.
    tooLong('promoCode', '\u0958'.repeat(6)),
    tooLong('promoCodeToken', 'x'.repeat(4097)),
    tooLong('eventType', 'é'.repeat(65)),
    tooLong('source', '🎁'.repeat(65)),
    flaw(
      'several properties',
      { body: { clientId: undefined, userId: '', promoCode: 'hush\u0000', eventType: ['hush'] } },
      `${INVALID} #/clientId #/promoCode #/userId #/eventType`,
    ),
  ],
  client: [
    flaw('a wrong App-Id', { headers: { 'App-Id': 'hush' } }, UNAUTHORIZED, NO_APP_ID),
    flaw('the App-Id of another client', { headers: { 'App-Id': 'acme-app-key' } }, UNAUTHORIZED),
    client('another client than that of the App-Id', 'acme'),
    client('an unknown client', 'gone', 'gone: Error: unknown client'),
    client('a client that is called constructor', 'constructor'),
    client('a client with a long name', 'x'.repeat(255)),
    client('a client of another app client', 'bound', 'bound: Error: token was issued to another'),
    client('a client whose App-Ids are not readable', 'locked'),
  ],
  user: [
    flaw('the token of another user', { token: { user: 'hush' } }, FORBIDDEN, 'demo: Error: the'),
    flaw('the account of another user', { body: { userId: 'hush' } }, FORBIDDEN),
    flaw('a user in other letters', { body: { userId: 'Demo-user' } }, FORBIDDEN),
  ],
} satisfies Record<string, readonly Flaw[]>;

type Check = keyof typeof CHECKS;
const ORDER = Object.keys(CHECKS) as Check[];

/** The flaws that an operation can have: it reads the properties, and has the check. */
function flawsOf(check: Check, operation: Operation): readonly Flaw[] {
  if (check === 'user' && !operation.errors.includes('Forbidden')) return [];
  return CHECKS[check].filter(appliesTo(operation));
}

function appliesTo({ request: { entries } }: Operation) {
  return ({ sent: { body: changed = {} } }: Flaw): boolean =>
    isRaw(changed) || Object.keys(changed).every((name) => name in entries);
}

/** Identifiers of 255 bytes. */
const LONGEST = '界'.repeat(85);

/** A good body of each operation, with more text before its closing brace. */
const bodyWith = (more: string) =>
  `${JSON.stringify(applyPromoCode.example.request).slice(0, -1)}${more}}`;

/** Requests that are good, although they look odd. */
const GOOD_REQUESTS: readonly [name: string, sent: Sent][] = [
  ['names of headers in lower case', { headers: { 'App-Id': undefined, 'app-id': APP_ID } }],
  ['a media type with parameters', { headers: { 'Content-Type': 'Application/JSON\t; a=b' } }],
  ['a media type twice', { headers: { 'Content-Type': ['application/json', 'Application/JSON'] } }],
  [
    'joined media types',
    { headers: { 'Content-Type': 'application/json; a="b\\",c", application/json,' } },
  ],
  ['values within spaces', { headers: { 'App-Id': ` ${APP_ID}\t`, 'Device-Id': ' x ' } }],
  ['the longest Device-Id', { headers: { 'Device-Id': 'x'.repeat(128) } }],
  ['an old date', { headers: { 'Request-Date': dateIn(-DAY + 10 * MINUTE) } }],
  ['a date in the future', { headers: { 'Request-Date': dateIn(DAY - 10 * MINUTE) } }],
  ['a header Expect', { headers: { Expect: 'nothing-special' } }],
  ['a Device-Id that is the word for none', { headers: { 'Device-Id': 'null' } }],
  ['a byte order mark', { body: `\uFEFF${bodyWith('')}` }],
  ['names of the prototype', { body: bodyWith(',"constructor":{"prototype":{}}') }],
  ['16 KB', { body: bodyWith('').padEnd(16 * 1024) }],
  ['deep nesting', { body: bodyWith(`,"a":${'['.repeat(7000)}${']'.repeat(7000)}`) }],
  ['the longest clientId', { body: { clientId: LONGEST } }],
  ['the longest userId', { token: { user: LONGEST }, body: { userId: LONGEST } }],
  ['the longest promoCode', { body: { promoCode: '🎁'.repeat(10) } }],
  ['the longest promoCode in normal form', { body: { promoCode: 'E\u0301'.repeat(10) } }],
  ['a promoCode with invisible characters', { body: { promoCode: '\u202e👨‍👩‍👧‍👦' } }],
  ['the longest promoCodeToken', { body: { promoCodeToken: 'é'.repeat(4096) } }],
  ['the longest eventType', { body: { eventType: '🎁'.repeat(64) } }],
  ['the longest source', { body: { source: '🎁'.repeat(64) } }],
];
const GOOD = GOOD_REQUESTS.map(([name, sent]) => flaw(name, sent, '200'));

let service: FaultyService;
let log: ReturnType<FaultyService['watchLog']>;
let valid: Parts;
let notAccepted: { warnings?: unknown };
/** The ids of the requests that were refused or failed. */
const refused: string[] = [];

beforeAll(async () => {
  service = await startFaultyService({
    // Without a cache, each read of a client is a DynamoDB call.
    environment: { CONFIG_CACHE_SECONDS: '0' },
    queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 },
  });
  log = service.watchLog();
  const key = service.issuer.signingKey;
  const [head = '', payload = '', signature = ''] = (await signIdToken(service.issuer)).split('.');
  valid = {
    header: head,
    payload,
    signature,
    claims: decode(payload),
    key,
    kid: key.kid,
    other: await generateSigningKey(),
    sign: (changedHeader, signingKey = key, changed = {}) =>
      signToken({ kid: key.kid, ...changedHeader }, { ...valid.claims, ...changed }, signingKey),
  };
  const bound = { clientId: 'bound', appIds: [APP_ID], userPoolClientIds: ['hush'] };
  await service.putConfig({ ...bound, fields: [7] });
  await service.putConfig({ clientId: LONGEST, appIds: [APP_ID], fields: [], lastFieldId: 0 });
  await service.putConfig({ clientId: 'locked', appIds: { hush: 'demo-app-key' } });
  // The functions start, and make their early reads.
  for (const operation of OPERATIONS) await send(operation, { body: '' });
  notAccepted = (await send(applyPromoCode, { body: { clientId: 'gone' } })).body;
  delete notAccepted.warnings;
});
afterAll(() => service.stop());

const isRaw = (body: Sent['body']) => typeof body === 'string' || Buffer.isBuffer(body);

async function send(operation: Operation, { headers, token, body: sent = {} }: Sent) {
  const answer = await service.send(operation, {
    headers: {
      ...headers,
      ...(typeof token === 'function' && { Authorization: `Bearer ${await token(valid)}` }),
    },
    ...(typeof token === 'object' && { token }),
    body: isRaw(sent) ? sent : { ...operation.example.request, ...sent, hush: 1 },
  });
  if (answer.status !== 200) refused.push(String(answer.headers['x-amzn-requestid']));
  return answer;
}

/** The status, the code, and the headers and pointers (`#/…`) in the entries of `errors`. */
function outcomeOf({ status, body: { data, errors } }: ServiceResponse): string {
  const places = errors.map(({ header: name, reason, pointer }) =>
    name ? [name, reason].filter(Boolean).join(':') : pointer?.replace(/^/, '#'),
  );
  return [status, data.code, ...places].filter(Boolean).join(' ');
}

/** The log lines of functions. Lambda's line about one that throws is text, and no object. */
const lines = (): Record<string, unknown>[] =>
  log.lines().flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));

/** The line of a request that was refused or failed, with the two ids by which it is found. */
async function lineOf({ folder }: Operation, { headers, body }: ServiceResponse) {
  const requestId = headers['x-amzn-requestid'];
  const text = await vi.waitUntil(
    () => log.lines().findLast((one) => one.includes(`"requestId":"${requestId}"`)),
    { interval: 5 },
  );
  const line = JSON.parse(text);
  const { statusCode, code } = body.data;
  const problems = body.errors.map(({ message }) => message);
  expect(line).toMatchObject({ service: folder, statusCode, code, problems });
  expect(line.awsRequestId).toMatch(/^[\da-f-]{36}$/);
  expect(line.awsRequestId).not.toBe(requestId);
  return line;
}

const reads = () => service.databaseCalls.filter((call) => call === 'GetItem').length;
const withNames = OPERATIONS.map((operation) => [operation.folder, operation] as const);

describe.each(withNames)('%s', (_, operation) => {
  const checks = ORDER.filter((check) => flawsOf(check, operation).length > 0);

  describe.each(checks)('refuses, because of its %s:', (check) => {
    test.each(flawsOf(check, operation))('$name', async ({ sent, expected, why }) => {
      const before = reads();
      const answer = await send(operation, sent);
      expect(outcomeOf(answer)).toBe(expected);
      // Nothing that a caller sends makes it read a client before the token is verified and the
      // body is valid.
      const isLate = ORDER.indexOf(check) > ORDER.indexOf('body');
      expect(reads() - before).toBe(isLate ? 1 : 0);
      // A response has the warnings from before the error: a body that is an object has an unknown
      // property here.
      const isRead = ORDER.indexOf(check) >= ORDER.indexOf('body') && !isRaw(sent.body);
      expect(answer.body.warnings).toHaveLength(isRead ? 1 : 0);
      const { warnings, ...body } = answer.body;
      // Whether the token, the App-Id or the client was wrong would only help an attacker.
      if (expected === UNAUTHORIZED) expect(body).toEqual(notAccepted);
      const { level, clientId, reason } = await lineOf(operation, answer);
      expect(level).toBe('WARN');
      expect(`${clientId}: ${reason}`).toContain(why);
    });
  });

  const pairs = checks.slice(1).map((check, index) => [checks[index] ?? check, check] as const);
  test.each(pairs)('checks its %s before its %s', async (first, second) => {
    const [one, other] = [first, second].map((check) => flawsOf(check, operation)[0]);
    const both = {
      headers: { ...one?.sent.headers, ...other?.sent.headers },
      token: { ...one?.sent.token, ...other?.sent.token } as TokenOptions,
      body: { ...(one?.sent.body as object), ...(other?.sent.body as object) },
    };
    expect(outcomeOf(await send(operation, both))).toBe(one?.expected);
  });
});

test('no request that is refused is stored', async () => {
  expect(await service.promoEvents()).toEqual([]);
});

describe.each(withNames)('%s', (_, operation) => {
  test.each(GOOD.filter(appliesTo(operation)))('accepts $name', async ({ sent, expected }) => {
    expect(outcomeOf(await send(operation, sent))).toBe(expected);
  });

  test.each<[what: string, fault: Fault, expected: string, name: string]>([
    ['throttles', 'throttled', UNAVAILABLE, 'ProvisionedThroughputExceededException'],
    ['fails', 'internal error', UNAVAILABLE, 'InternalServerError'],
    ['cannot be reached', 'connection reset, not executed', UNAVAILABLE, 'TimeoutError'],
    ['must not be read', 'not permitted', FAILED, 'AccessDeniedException'],
  ])('while DynamoDB %s, a client without a copy is no reason for a 401', async (what, ...row) => {
    const [fault, expected, name] = row;
    service.toDynamoDb.faultOf = () => fault;
    const clientId = `new while it ${what}`;
    const answer = await send(operation, { body: { clientId } });
    service.toDynamoDb.faultOf = () => undefined;
    expect(outcomeOf(answer)).toBe(expected);
    const line = await lineOf(operation, answer);
    expect(line).toMatchObject({ level: 'ERROR', clientId, error: { name } });
  });
});

test.each<[what: string, environment: Environment, expected: string, logged: string]>([
  // The log has the position in the source, not in the bundle.
  [
    'a table that does not exist',
    { CONFIGS_TABLE_NAME: 'NoSuchTable' },
    FAILED,
    '/or-unavailable.ts:',
  ],
  ['a function that cannot start', { CONFIGS_TABLE_NAME: '' }, FAILED, 'CONFIGS_TABLE_NAME is not'],
  ['a key set that cannot be fetched', NO_KEY_SET, UNAVAILABLE, 'ECONNREFUSED'],
])('%s is an error of the service that shows no internals', async (_, environment, ...expected) => {
  await using broken = await startService({ environment });
  const watched = broken.watchLog();
  for (const operation of OPERATIONS) {
    const answer = await broken.send(operation);
    expect(outcomeOf(answer)).toBe(expected[0]);
    expect(JSON.stringify(answer.body)).not.toMatch(/CONFIGS_TABLE|NoSuchTable|127|\.ts|\.mjs/);
    await watched.logged(expected[1]);
  }
});

describe('the log', () => {
  const KEYS_USED = 'App-Ids were used';

  // What only happens while the table or the queue fails, and what edits of clients cause.
  beforeAll(async () => {
    service.toDynamoDb.faultOf = noWrites;
    expect(outcomeOf(await send(applyPromoCode, {}))).toBe('200');
    await log.logged('A promo event stays in the queue');
    service.toSqs.faultOf = () => 'internal error';
    expect(outcomeOf(await send(applyPromoCode, {}))).toBe(UNAVAILABLE);
    service.toSqs.faultOf = () => undefined;
    service.toDynamoDb.faultOf = () => 'internal error';
    for (const operation of OPERATIONS) expect(outcomeOf(await send(operation, {}))).toBe('200');
    service.toDynamoDb.faultOf = () => undefined;
    const noPromoEvent = { ...applyPromoCode.example.request, deviceId: 'hush' };
    const date = new Date(Date.now() - 45 * 24 * 60 * 60_000).toISOString();
    const QueueUrl = service.outputs.PromoEventsQueueUrl;
    for (const body of [noPromoEvent, { ...noPromoEvent, requestDate: date, receivedAt: date }]) {
      const MessageBody = JSON.stringify(body);
      await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    }
    await log.logged('A message is not a promo event', 'A promo event is too old to be stored');
    await log.logged('Configuration to correct', KEYS_USED);
    await log.logged('its last good copy is served', 'A change harmed a client');
  });

  test('has one line for each request that is refused or fails, and none for a success', () => {
    const logged = lines().flatMap(({ requestId }) => requestId ?? []);
    expect(logged.toSorted()).toEqual(refused.toSorted());
  });

  test('says how often an App-Id was used, by its digest', () => {
    const used = lines().filter(({ message }) => message === KEYS_USED);
    for (const { folder } of OPERATIONS) {
      // The first accepted request is counted at once, the others with one a minute later.
      const first = used.find((line) => line.service === folder);
      expect(first).toMatchObject({ uses: { demo: { [fingerprintOf(APP_ID)]: 1 } } });
    }
  });

  test('contains no token, no key, no promo code and nothing else that a request carries, but its client id', () => {
    const { userId, promoCode, source } = applyPromoCode.example.request;
    const ofTheCaller = [userId, promoCode, source, '00000000-0000-0000-0000-000000000000'];
    for (const secret of ['hush', APP_ID, valid.payload, valid.signature, ...ofTheCaller]) {
      expect(log.lines().filter((line) => line.includes(secret))).toEqual([]);
    }
  });

  test('has the messages and fields that the saved queries name', async () => {
    // No line of this log was suppressed.
    const logged = [...lines(), LINE_OF_LAMBDA];
    const fields = new Set(['suppressed', ...logged.flatMap((line) => namesIn(line))]);
    const queries = await savedQueries();
    expect(queries.length).toBeGreaterThan(3);
    for (const query of queries) {
      const quoted = [...query.matchAll(/"([A-Z][^"]* [^"]+)"/g)].map(([, message]) => message);
      expect(lines().map(({ message }) => message)).toEqual(expect.arrayContaining(quoted));
      const made = new Set([...query.matchAll(/ as (\w+)/g)].map(([, name]) => name));
      const words = query
        .replace(/"[^"]*"|\/[^/]*\//g, '')
        .match(/(?<![@\w.])[a-z][\w.]*(?!\w*\()/gi)
        ?.filter((word) => !WORDS.has(word) && !made.has(word));
      expect([...fields]).toEqual(expect.arrayContaining(words ?? []));
    }
  });
});

/**
 * Lambda's own line about an invocation that failed, which no local server writes.
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
 */
const LINE_OF_LAMBDA = {
  time: '2026-11-28T10:00:00.000Z',
  type: 'platform.report',
  record: { requestId: 'a', status: 'error', errorType: 'Runtime.ExitError' },
};

/** The words of Logs Insights. */
const WORDS = new Set('fields filter stats sort asc desc by as and or in like limit'.split(' '));

/**
 * The names of the fields of a line, as Logs Insights discovers them: `error.name`, `problems.0`.
 */
function namesIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, [...path, name]));
}

async function savedQueries(): Promise<string[]> {
  const file = join(inject('cloudAssembly'), 'CustomerDataApi-dev.template.json');
  const { Resources } = JSON.parse(await readFile(file, 'utf8'));
  return Object.values<{ Type: string; Properties: { QueryString: string } }>(Resources)
    .filter(({ Type }) => Type === 'AWS::Logs::QueryDefinition')
    .map(({ Properties }) => Properties.QueryString);
}
