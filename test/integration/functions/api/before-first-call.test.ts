import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_CLIENT } from '../../../../core/clients/early-read.ts';
import type { Operation } from '../../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { createJwksServer, type Issuer } from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';
import {
  ITEM,
  startFunction,
  stubEnvironment,
  testIssuer,
} from '../../../support/started-function.ts';

/* The handlers, each started anew in this process: what they do before their first call, and what becomes of its failure. */

const logger = vi.hoisted(() => ({ info: vi.fn(), warn: vi.fn(), error: vi.fn() }));
vi.mock('../../../../core/platform/logger.ts', () => ({ logger }));

const APPLIED = marshall({ requestDate: '2026-11-20T09:30:00.000Z' });
/** Longest time of each piece of work, in milliseconds. */
const LIMIT_MS = 1000;
/** How long the key set is not fetched again after a fetch that failed, in milliseconds. */
const BACKOFF_MS = 1000;
const KEY_SET = 'fetch the key set';
const READ = 'read from DynamoDB';

type Fault = (response: ServerResponse) => unknown;
const DOWN: Fault = (response) => response.destroy();
const FAILING: Fault = (response) => response.writeHead(500).end('{}');
const SILENT: Fault = () => {};

/** What a service does instead of responding. */
const faults: { keySet: Fault | undefined; dynamodb: Fault | undefined } = {
  keySet: undefined,
  dynamodb: undefined,
};
let issuer: Issuer;
let servers: readonly Server[];
/** The calls to AWS so far: `key set`, or the operation with its key in the table of clients. */
let calls: string[];
let onCall: () => void;

beforeAll(async () => {
  issuer = testIssuer();
  const respond = createJwksServer(issuer);
  const keySet: RequestListener = (request, response) => {
    calls.push('key set');
    onCall();
    if (faults.keySet) faults.keySet(response);
    else respond.emit('request', request, response);
  };
  const dynamodb: RequestListener = async (request, response) => {
    const { Key } = (await json(request)) as { Key?: { clientId: { S: string } } };
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    calls.push(`${operation} ${Key?.clientId.S}`);
    onCall();
    if (faults.dynamodb) {
      faults.dynamodb(response);
      return;
    }
    const found = Key?.clientId.S === NO_CLIENT ? {} : { Item: ITEM };
    response.end(JSON.stringify(operation === 'GetItem' ? found : { Attributes: APPLIED }));
  };
  servers = [createServer(keySet), createServer(dynamodb)];
  const [keySetUrl = '', url = ''] = await Promise.all(servers.map((server) => listen(server)));
  stubEnvironment(issuer, keySetUrl, url);
});
beforeEach(() => {
  [calls, onCall] = [[], () => {}];
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
  Object.assign(faults, { keySet: undefined, dynamodb: undefined });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.map(close));
});

/** Starts a function. On a slow machine, no time limit ends its work. */
async function start(operation: Operation) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const call = await startFunction(operation, issuer);
  vi.useRealTimers();
  return call;
}

const UNAVAILABLE = {
  statusCode: 503,
  data: { code: 'ServiceUnavailableException', retryable: true },
};

/** The work that the log names, once each. */
const notPrepared = () =>
  logger.warn.mock.calls.map(([message, { work }]) => {
    expect(message).toBe('The first call was not prepared');
    return work;
  });

describe.each(OPERATIONS.map((operation) => ({ operation, name: operation.folder })))(
  '$name',
  ({ operation }) => {
    test('fetches the key set and makes one read of DynamoDB before its first call, and never again', async () => {
      const call = await start(operation);
      expect([...calls].sort()).toEqual([`GetItem ${NO_CLIENT}`, 'key set']);
      for (let number = 0; number < 3; number++) expect((await call()).statusCode).toBe(200);
      expect(calls.filter((one) => one === 'key set')).toHaveLength(1);
      expect(calls.filter((one) => one.includes(NO_CLIENT))).toHaveLength(1);
      expect(logger.warn).not.toHaveBeenCalled();
      expect(logger.error).not.toHaveBeenCalled();
    });

    test.each([
      ['the key set is down', 'keySet', DOWN, KEY_SET],
      ['the key set answers with an error', 'keySet', FAILING, KEY_SET],
      ['DynamoDB is down', 'dynamodb', DOWN, READ],
      ['DynamoDB answers with an error', 'dynamodb', FAILING, READ],
    ] as const)(
      'starts while %s, with one attempt and one log line, and answers the first call once that is over',
      async (_, service, fault, work) => {
        faults[service] = fault;
        const call = await start(operation);
        expect([...calls].sort()).toEqual([`GetItem ${NO_CLIENT}`, 'key set']);
        expect(notPrepared()).toEqual([work]);
        faults[service] = undefined;
        expect((await call()).statusCode).toBe(200);
        expect(notPrepared()).toEqual([work]);
      },
    );

    test('while both are down, starts, responds with 503, and recovers without a new start', async () => {
      Object.assign(faults, { keySet: DOWN, dynamodb: DOWN });
      const call = await start(operation);
      expect(notPrepared().sort()).toEqual([KEY_SET, READ]);
      expect(await call()).toMatchObject(UNAVAILABLE);
      faults.keySet = undefined;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + BACKOFF_MS });
      expect(await call()).toMatchObject(UNAVAILABLE);
      faults.dynamodb = undefined;
      expect((await call()).statusCode).toBe(200);
    });

    test.each([
      ['the key set is', { keySet: SILENT }, [KEY_SET]],
      ['DynamoDB is', { dynamodb: SILENT }, [READ]],
      ['both are', { keySet: SILENT, dynamodb: SILENT }, [KEY_SET, READ]],
    ])(
      'while %s slower than the limit, starts when it is over, and recovers without a new start',
      async (_, slow, works) => {
        Object.assign(faults, slow);
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const bothCalled = new Promise<void>((resolve) => {
          onCall = () => {
            if (calls.length === 2) resolve();
          };
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
        expect(notPrepared().sort()).toEqual(works);
        expect(vi.getTimerCount()).toBe(0);
        vi.useRealTimers();
        Object.assign(faults, { keySet: undefined, dynamodb: undefined });
        expect((await call()).statusCode).toBe(200);
      },
    );
  },
);
