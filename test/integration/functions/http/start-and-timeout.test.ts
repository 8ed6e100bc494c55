import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  close,
  createJwksServer,
  type Issuer,
  issuerOf,
  listen,
} from 'customer-data-api-deployment/local';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ClientId } from '../../../../core/identifiers.ts';
import { applyPromoCode } from '../../../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../../../functions/get-config/operation.ts';
import type { Operation } from '../../../../functions/http/operation.ts';
import { HEADERS } from '../../../../functions/http/request-headers.ts';
import { NO_CLIENT } from '../../../../functions/http/warm-up.ts';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { PIZZA } from '../../../support/configurations.ts';
import { datapointsOf, sumOf } from '../../../support/embedded-metrics.ts';
import {
  ITEM,
  startFunction,
  stubEnvironment,
  testIssuer,
} from '../../../support/started-function.ts';

/*
 * The handlers, each started anew in this process and on a clock of our own: what they do before
 * their first call, what becomes of its failure, and how they respond shortly before Lambda would
 * end them.
 */

const [, TEXT_FIELD] = parse(PIZZA).fields;
const APPLIED = marshall({ requestDate: '2026-11-20T09:30:00.000Z' });
/** Longest time of each piece of work before the first call, in milliseconds. */
const LIMIT_MS = 1000;
/** The milliseconds for which the key set is not fetched again after a fetch that failed. */
const BACKOFF_MS = 1000;
const KEY_SET = 'fetch the key set';
const READ = 'read from DynamoDB';

type Fault = (response: ServerResponse, publishKeys: () => void) => unknown;
const DOWN: Fault = (response) => response.destroy();
const FAILING: Fault = (response) => response.writeHead(500).end('{}');
const SILENT: Fault = () => {};

/** The faults of a service, which happen instead of a response. */
const faults: Record<'keySet' | 'aws', Fault | undefined> = { keySet: undefined, aws: undefined };
let issuer: Issuer;
let servers: readonly Server[];
/** The calls so far: `key set`, or the operation of AWS with its key in the table of clients. */
let calls: string[];
let onCall: () => void;
/** The client in DynamoDB. */
let item: unknown;
let lines: Record<string, unknown>[];

beforeAll(async () => {
  issuer = testIssuer();
  const respond = createJwksServer(issuer);
  const keySet: RequestListener = (request, response) => {
    calls.push('key set');
    onCall();
    const publish = () => respond.emit('request', request, response);
    if (faults.keySet) faults.keySet(response, publish);
    else publish();
  };
  const aws: RequestListener = async (request, response) => {
    const { Key } = (await json(request)) as { Key?: { clientId: { S: string } } };
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    calls.push(Key ? `${operation} ${Key.clientId.S}` : operation);
    onCall();
    if (faults.aws) return faults.aws(response, () => {});
    const found = Key?.clientId.S === NO_CLIENT ? {} : { Item: item };
    return response.end(JSON.stringify(operation === 'GetItem' ? found : { Attributes: APPLIED }));
  };
  servers = [createServer(keySet), createServer(aws)];
  const [keySetUrl = '', url = ''] = await Promise.all(servers.map((server) => listen(server)));
  stubEnvironment(issuer, keySetUrl, url);
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'WARN');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(
      (text) => lines.push(JSON.parse(String(text))) > 0,
    );
  }
});
beforeEach(() => {
  [calls, lines, onCall, item] = [[], [], () => {}, ITEM];
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(faults, { keySet: undefined, aws: undefined });
});
afterAll(async () => {
  await Promise.all(servers.map(close));
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Starts a function. On a slow machine, no time limit ends its work. */
async function start(operation: Operation) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const call = await startFunction(operation, issuer);
  vi.useRealTimers();
  return call;
}

/** Resolves when AWS or the key set gets a call. */
const called = (name: string) =>
  new Promise<void>((resolve) => {
    onCall = () => {
      if (calls.filter((call) => call.startsWith(name)).length > 0) resolve();
    };
  });

const UNAVAILABLE = { statusCode: 503, data: { code: 'ServiceUnavailableException' } };

/** The work that the log names, once each. */
const notPrepared = () =>
  lines.flatMap(({ level, work }) => (level === 'WARN' && work) || []).sort();
const errors = () => lines.filter(({ level }) => level === 'ERROR');

const withNames = OPERATIONS.map((operation) => [operation.folder, operation] as const);

describe.each(withNames)('%s', (_, operation) => {
  test('fetches the key set and makes one read of DynamoDB before its first call, and never again', async () => {
    const call = await start(operation);
    expect([...calls].sort()).toEqual([`GetItem ${NO_CLIENT}`, 'key set']);
    for (let number = 0; number < 3; number++) expect((await call()).statusCode).toBe(200);
    expect(calls.filter((one) => one === 'key set')).toHaveLength(1);
    expect(calls.filter((one) => one.includes(NO_CLIENT))).toHaveLength(1);
    expect([...notPrepared(), ...errors()]).toEqual([]);
    // No request can name the client that it asks for.
    expect(v.is(ClientId, NO_CLIENT)).toBe(false);
  });

  test.each(['cognito-idp', 'issuer-cognito-idp'])(
    'fetches the key set of the issuer %s, and that of the other one with its first token',
    async (name) => {
      vi.stubEnv('USER_POOL_ISSUER', name);
      const call = await start(operation);
      vi.stubEnv('USER_POOL_ISSUER', 'cognito-idp');
      const keySets = () => calls.filter((one) => one === 'key set').length;
      const iss = (of: string) => issuerOf(issuer.userPoolId).replace('cognito-idp', of);
      expect((await call({ claims: { iss: iss(name) } })).statusCode).toBe(200);
      expect(keySets()).toBe(1);
      const [other = ''] = ['cognito-idp', 'issuer-cognito-idp'].filter((one) => one !== name);
      expect((await call({ claims: { iss: iss(other) } })).statusCode).toBe(200);
      expect(keySets()).toBe(2);
    },
  );

  test('while the key set and DynamoDB are down, starts with one attempt and one log line each, and recovers without a new start', async () => {
    Object.assign(faults, { keySet: DOWN, aws: FAILING });
    const call = await start(operation);
    expect([...calls].sort()).toEqual([`GetItem ${NO_CLIENT}`, 'key set']);
    expect(notPrepared()).toEqual([KEY_SET, READ]);
    expect(await call()).toMatchObject(UNAVAILABLE);
    faults.keySet = undefined;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + BACKOFF_MS });
    expect(await call()).toMatchObject(UNAVAILABLE);
    faults.aws = undefined;
    expect((await call()).statusCode).toBe(200);
    expect(notPrepared()).toEqual([KEY_SET, READ]);
  });

  test('while both are silent, starts when the limit is over, and recovers without a new start', async () => {
    Object.assign(faults, { keySet: SILENT, aws: SILENT });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const bothCalled = new Promise<void>((resolve) => {
      onCall = () => calls.length === 2 && resolve();
    });
    let isStarted = false;
    const started = startFunction(operation, issuer).finally(() => {
      isStarted = true;
    });
    await bothCalled;
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(isStarted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const call = await started;
    expect(notPrepared()).toEqual([KEY_SET, READ]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    Object.assign(faults, { keySet: undefined, aws: undefined });
    expect((await call()).statusCode).toBe(200);
  });
});

describe('half a second before Lambda ends a function', () => {
  /** Ends before any attempt of a call to AWS does. */
  const REMAINING_MS = 1500;

  test.each([
    ...withNames.map(([folder, operation]) => ['key set', folder, operation] as const),
    ...withNames.map(([folder, operation]) => ['GetItem demo', folder, operation] as const),
    ['SendMessage', applyPromoCode.folder, applyPromoCode] as const,
  ])('while it waits for %s, %s responds with a retryable 503', async (waitsFor, _, operation) => {
    faults.keySet = waitsFor === 'key set' ? DOWN : undefined;
    const call = await start(operation);
    let release = () => {};
    const silent: Fault = (response) => {
      release = () => response.end(JSON.stringify({ Item: ITEM, Attributes: APPLIED }));
    };
    faults.keySet = (_response, publishKeys) => {
      release = publishKeys;
    };
    faults.aws = (response, ...rest) => {
      const isRead = waitsFor === 'SendMessage' && calls.at(-1)?.startsWith('GetItem');
      return isRead ? response.end(JSON.stringify({ Item: ITEM })) : silent(response, ...rest);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    calls = [];
    const reached = called(waitsFor);
    let isAnswered = false;
    const response = call({ more: { more: 1 }, remainingMs: REMAINING_MS }).finally(() => {
      isAnswered = true;
    });
    await reached;
    await vi.advanceTimersByTimeAsync(REMAINING_MS - 501);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const { warnings, ...answer } = await response;
    expect(answer).toMatchObject(UNAVAILABLE);
    expect(warnings).toHaveLength(waitsFor === 'key set' ? 0 : 1);
    vi.useRealTimers();
    // What it waited for comes too late: neither it nor middy's own timeout responds, counts or
    // logs again.
    faults.aws = undefined;
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(errors().filter(({ statusCode }) => statusCode)).toHaveLength(1);
    const responses = lines.flatMap((line) => datapointsOf(line));
    const dimensions = { service: 'service_undefined', stage: 'test' };
    expect(sumOf(responses, 'Responses', dimensions)).toBe(1);
  });

  test('or at once if less time is left', async () => {
    const call = await start(getConfig);
    faults.aws = SILENT;
    expect(await call({ remainingMs: 100 })).toMatchObject(UNAVAILABLE);
  });
});

// The embedded DynamoDB loses `__proto__`.
test.each(['__proto__', 'constructor', 'toString'])(
  'what an item and its fields have under %s changes nothing for apps',
  async (name) => {
    const more = `"${name}":{"M":{"userPoolClientIds":{"SS":["another"]},"id":{"S":"2"}}}`;
    const client = { clientId: 'demo', appIds: ['demo-app-key'], fields: [TEXT_FIELD] };
    const json = JSON.stringify(marshall(client));
    item = JSON.parse(json.replaceAll(/"(?:clientId|id|subType)":/g, `${more},$&`));
    const { statusCode, data, warnings } = await (await start(getConfig))();
    expect([statusCode, warnings]).toEqual([200, []]);
    expect(data.fields).toMatchObject([TEXT_FIELD]);
    expect(JSON.stringify(data)).not.toContain(name);
  },
);

/* The deployed API never sends these, but the types of API Gateway allow them. */
test.each<[name: string, changed: object, statusCode: number]>([
  ['no headers', { multiValueHeaders: null }, 401],
  ['headers without values', { multiValueHeaders: { 'App-Id': undefined, 'Device-Id': [] } }, 401],
  ['a body in base64', { isBase64Encoded: true, body: base64('{"clientId":"demo","é":1}') }, 200],
  ['17 KB in base64', { isBase64Encoded: true, body: base64(' '.repeat(17 * 1024)) }, 413],
])('an event with %s is answered', async (_, changed, statusCode) => {
  const answer = await (await start(getConfig))({ changed });
  expect(answer.statusCode).toBe(statusCode);
  if (statusCode === 401) expect(answer.errors).toHaveLength(Object.keys(HEADERS).length);
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
