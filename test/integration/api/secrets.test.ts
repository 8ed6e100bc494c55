import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Operation } from '../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/id-token.ts';
import { noWrites } from '../../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import type { Call } from '../../support/service.ts';

/*
 * Every path that a request can take, successful or not, over HTTP and through the queue. The whole log, metrics included,
 * must not contain what only the caller and the service may know.
 */

const USER = 'a-user-nobody-else-knows';
const DEVICE = 'a-device-of-the-user';
const KEY = 'an-app-id-of-the-client';
const GUESS = 'a-guessed-app-id';
const PROMO = {
  userId: USER,
  promoCode: 'HUSHHUSH',
  promoCodeToken: 'a-token-of-the-code',
  source: 'a-source-of-the-call',
};
const CLIENTS = {
  good: { appIds: [KEY], fields: [], lastFieldId: 0 },
  broken: {
    appIds: [KEY],
    fields: [{ fieldType: 'date', fieldName: 'Shoe size' }],
    lastFieldId: 1,
  },
  locked: { appIds: { key: KEY }, fields: [], lastFieldId: 0 },
};

let service: FaultyService;
let idToken: string;
let log: ReturnType<FaultyService['watchLog']>;
beforeAll(async () => {
  service = await startFaultyService({
    environment: { CONFIG_CACHE_SECONDS: '0' },
    queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 },
  });
  idToken = await signIdToken(service.issuer, { user: USER });
  log = service.watchLog();
  for (const [clientId, item] of Object.entries(CLIENTS)) {
    await service.putConfig({ clientId, ...item });
  }
});
afterAll(() => service.stop());

/** The status of the response to a call with everything that must stay secret. */
async function statusOf(operation: Operation, call: Call = {}, body: object = {}): Promise<number> {
  const { status } = await service.send(operation, {
    body: { ...operation.example.request, ...PROMO, clientId: 'good', ...body },
    ...call,
    headers: {
      Authorization: `Bearer ${idToken}`,
      'App-Id': KEY,
      'Device-Id': DEVICE,
      ...call.headers,
    },
  });
  return status;
}

test('no path logs a token, a key, a promo code or its token, or whatever tells who the user is', async () => {
  const { lines, logged } = log;
  const { toDynamoDb, toSqs } = service;
  const expired = await signIdToken(service.issuer, { user: USER, expiresInSeconds: -5 });
  const [header, payload, signature] = idToken.split('.');
  const forged = `${header}.${payload}.${signature?.split('').reverse().join('')}`;
  const base64 = (text: string) => Buffer.from(text).toString('base64url');
  // Errors of the library quote what it cannot parse or does not know. V8 quotes a short text as a whole.
  const foreign = [
    `${header}.${base64(`{"user":${USER}}`)}.${signature}`,
    `${header}.${base64(`{"iss":"${USER}"}`)}.${signature}`,
    `${base64(`{"alg":"RS256","kid":"${USER}"}`)}.${payload}.${signature}`,
    `${base64(`{"alg":"${USER}"}`)}.${payload}.${signature}`,
  ];
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const statuses = new Set<number>();
  for (const operation of OPERATIONS) {
    const paths: [call: Call, body?: object][] = [
      [{}],
      [{}, { unknown: USER }],
      [{ headers: { 'Device-Id': undefined } }],
      [{ headers: { 'Device-Id': DEVICE.repeat(20) } }],
      [{ headers: { 'Request-Date': `${USER} today` } }],
      [bearer(expired)],
      [bearer(forged)],
      [bearer(`${idToken}.${idToken}`)],
      ...foreign.map((token): [Call] => [bearer(token)]),
      [{ headers: { 'App-Id': GUESS } }],
      [{ token: { user: 'another' }, headers: { Authorization: undefined } }],
      [{ body: `{"userId":"${USER}"` }],
      [{ body: JSON.stringify({ userId: USER }).repeat(1000) }],
      [{}, { clientId: 7 }],
      [{}, { [USER]: { constructor: 1 } }],
      [{}, { clientId: USER }],
      [{}, { userId: 'somebody' }],
      [{}, { clientId: 'broken' }],
      [{}, { clientId: 'locked' }],
    ];
    for (const [call, body] of paths) statuses.add(await statusOf(operation, call, body));
  }
  // The table refuses writes: the event goes through the queue, fails there, and is stored later.
  toDynamoDb.faultOf = noWrites;
  for (const operation of OPERATIONS) statuses.add(await statusOf(operation));
  await logged('The table did not store a promo event', 'A promo event stays in the queue');
  // Neither the table nor the queue accepts it.
  toSqs.faultOf = () => 'internal error';
  for (const operation of OPERATIONS) statuses.add(await statusOf(operation));
  toSqs.faultOf = () => undefined;
  // No read either: a client with a copy is served, one without is not.
  toDynamoDb.faultOf = () => 'internal error';
  for (const operation of OPERATIONS) {
    for (const clientId of ['good', 'other']) {
      statuses.add(await statusOf(operation, {}, { clientId }));
    }
  }
  await logged('its last good copy is served');
  toDynamoDb.faultOf = () => undefined;
  await logged('"PromoEventApplied":1', '"service":"store-queued-promo-events"');
  await service.sqs.send(
    new SendMessageCommand({
      QueueUrl: service.outputs.PromoEventsQueueUrl,
      MessageBody: JSON.stringify({ ...PROMO, clientId: 'good', deviceId: DEVICE }),
    }),
  );
  await logged(
    'A message is not a promo event',
    'Configuration to correct',
    'Every request of the client is refused',
    'Request failed',
    'Request refused',
  );

  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 413, 503]);
  const text = lines().join('\n');
  expect(text).toContain('"_aws"');
  const secrets = [idToken, expired, payload, signature, KEY, GUESS, USER, DEVICE];
  for (const secret of [...secrets, ...Object.values(PROMO)]) expect(text).not.toContain(secret);
});

test('the saved queries name messages and fields of these lines', async () => {
  const lines = log.lines().map((line): Record<string, unknown> => JSON.parse(line));
  const messages = new Set(lines.map(({ message }) => message));
  // Without a limit, no line was suppressed.
  const fields = new Set(['suppressed', ...lines.flatMap((line) => namesIn(line))]);
  const queries = await savedQueries();
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) {
    const quoted = [...query.matchAll(/"([A-Z][^"]+)"/g)].map(([, text]) => text);
    for (const text of quoted) expect([...messages], query).toContain(text);
    // Names that the query makes itself, then its words.
    const own = [...query.matchAll(/ as (\w+)/g)].map(([, name]) => name);
    const words = query
      .replace(/"[^"]*"|\/[^/]*\//g, '')
      .match(/(?<![@\w.])[a-z][\w.]*(?!\w*\()/gi)
      ?.filter((word) => !KEYWORDS.includes(word) && !own.includes(word));
    for (const word of words ?? []) expect([...fields], query).toContain(word);
  }
});

async function savedQueries(): Promise<string[]> {
  const file = join(inject('cloudAssembly'), 'CustomerDataApi-dev.template.json');
  const { Resources } = JSON.parse(await readFile(file, 'utf8'));
  return Object.values<{ Type: string; Properties: { QueryString: string } }>(Resources)
    .filter(({ Type }) => Type === 'AWS::Logs::QueryDefinition')
    .map(({ Properties }) => Properties.QueryString);
}

/** Words of the language of Logs Insights. */
const KEYWORDS = [
  'fields',
  'filter',
  'stats',
  'sort',
  'desc',
  'by',
  'as',
  'or',
  'in',
  'like',
  'limit',
];

/** The names of the fields of a line, as Logs Insights discovers them: `error.name`, `problems.0`. */
function namesIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, [...path, name]));
}
