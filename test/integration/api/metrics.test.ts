import { randomUUID } from 'node:crypto';
import { generateSigningKey, signIdToken } from 'customer-data-api-deployment/local';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPromoCode } from '../../../functions/apply-promo-code/operation.ts';
import {
  checkPromoEvents,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../../functions/background-functions.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import type { Operation } from '../../../functions/http/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { type Datapoint, datapointsOf } from '../../support/embedded-metrics.ts';
import { EMITTED_METRICS } from '../../support/emitted-metrics.ts';
import { noWrites } from '../../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { type Call, PROMO_REQUEST } from '../../support/service.ts';

/* The condition behind each metric, and what CloudWatch reads from the logs of the functions. */

/**
 * The sums of metrics, by their names and what they have besides service and stage: `Responses`,
 * `Responses OK`.
 */
type Counts = Readonly<Record<string, number>>;

let service: FaultyService;
let log: ReturnType<FaultyService['watchLog']>;
beforeAll(async () => {
  service = await startFaultyService({
    environment: { CONFIG_CACHE_SECONDS: '0', COUNT_BY_VERSION: 'true' },
    queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 },
  });
  log = service.watchLog();
  const signingKey = { ...(await generateSigningKey()), kid: service.issuer.signingKey.kid };
  forged.headers.Authorization = `Bearer ${await signIdToken({ ...service.issuer, signingKey })}`;
  const damaged = [{ id: '1', fieldType: 'date' }, 7, null];
  await service.putConfig({ clientId: 'damaged', appIds: ['demo-app-key'], fields: damaged });
  const foreign = { appIds: ['demo-app-key'], userPoolClientIds: ['app of another stage'] };
  await service.putConfig({ clientId: 'foreign', ...foreign, fields: [] });
  const smoke = { clientId: SMOKE_CLIENT_ID, appIds: ['demo-app-key'], fields: [], lastFieldId: 0 };
  await service.putConfig(smoke);
});
afterAll(() => service.stop());

const datapoints = (): Datapoint[] =>
  log.lines().flatMap((line) => (line.startsWith('{"_aws"') ? datapointsOf(JSON.parse(line)) : []));

function countsOf(folder: string): Counts {
  const counts: Record<string, number> = {};
  for (const { name, dimensions, value } of datapoints()) {
    const { service: counted, stage: _, ...others } = dimensions;
    const key = [name, ...Object.values(others)].join(' ');
    if (counted === folder) counts[key] = (counts[key] ?? 0) + value;
  }
  return counts;
}

const SIGNED = { SignedCall: 1, 'SignedCall $LATEST': 1 };
const ok = (others: Counts = {}): Counts => ({
  Responses: 1,
  'Responses OK': 1,
  ...SIGNED,
  ...others,
});
const refused = (code: string, others: Counts = {}): Counts => ({
  Responses: 1,
  [`Responses ${code}`]: 1,
  ClientErrors: 1,
  ...others,
});
/** Counts of a refused call whose token our user pool signed. */
const refusedUser = (code: string, others: Counts = {}): Counts =>
  refused(code, {
    ...SIGNED,
    CustomerRefused: 1,
    SignedCallRefused: 1,
    'SignedCallRefused $LATEST': 1,
    ...others,
  });
const failed = (code: string): Counts => ({
  Responses: 1,
  [`Responses ${code}`]: 1,
  ...SIGNED,
  ServerErrors: 1,
  'ServerErrors $LATEST': 1,
});
/** Metrics of a success of smoke checks, which does not count as one of users. */
const smoke = ({ folder }: Operation): Counts =>
  folder === applyPromoCode.folder ? { ...SIGNED, PromoEventApplied: 1 } : SIGNED;
const LOCKED_OUT = { ClientLockedOut: 1, 'ClientLockedOut $LATEST': 1 };

type Failing = 'reads' | 'writes' | 'writes and queue';
type Row = [what: string, call: Call, counts: Counts, failing?: Failing];

const ofClient = (operation: Operation, clientId: string): Call => ({
  body: { ...operation.example.request, clientId },
});
const DATE = new Date().toISOString();
const OTHER_DATE = new Date(Date.now() + 60_000).toISOString();
const SMOKE_CLIENT_ID = `smoke-${randomUUID()}`;
/** Signed with a key of the attacker, whose id is that of the user pool's. */
const forged = { headers: { Authorization: '' } };
const wrongKey = { 'App-Id': 'wrong' };
const KIM = { token: { user: 'kim' } };

const OF_EACH = (operation: Operation): Row[] => [
  ['an unknown client', ofClient(operation, 'unknown'), refusedUser('Unauthorized')],
  ['a smoke check', ofClient(operation, SMOKE_CLIENT_ID), smoke(operation)],
  ['a wrong app client', { token: { claims: { aud: 'another' } } }, refusedUser('Unauthorized')],
  ['a forged token', forged, refused('Unauthorized')],
  ['a body that is not JSON', { body: '{' }, refused('ValidationException', SIGNED)],
  ['an expired token', { token: { expiresInSeconds: -5 } }, refused('NotAuthorizedException')],
  [
    'a client that is locked out',
    ofClient(operation, 'foreign'),
    refusedUser('Unauthorized', LOCKED_OUT),
  ],
  [
    'a client that cannot be read',
    ofClient(operation, 'unread'),
    failed('ServiceUnavailableException'),
    'reads',
  ],
  ['a refused customer', { ...KIM, headers: wrongKey }, refusedUser('Unauthorized')],
  ['the same one again, who counts once', { ...KIM, headers: wrongKey }, refused('Unauthorized')],
  ['a wrong App-Id of an old copy', { headers: wrongKey }, refusedUser('Unauthorized'), 'reads'],
];
/** Rows of an operation that counts nothing of its own. */
const OF_ANY: Row[] = [
  ['a success', {}, ok()],
  ['an old copy', {}, ok({ LastGoodConfigServed: 1 }), 'reads'],
];
const OF_ONE: Readonly<Record<string, Row[]>> = {
  [getConfig.folder]: [
    ['a whole configuration', {}, ok()],
    ['omitted fields', ofClient(getConfig, 'damaged'), ok({ FieldsLeftOut: 3 })],
    ['an old copy', {}, ok({ LastGoodConfigServed: 1 }), 'reads'],
  ],
  [applyPromoCode.folder]: [
    ['an application', { headers: { 'Request-Date': DATE } }, ok({ PromoEventApplied: 1 })],
    ['the same request again', { headers: { 'Request-Date': DATE } }, ok()],
    ['a repetition', { headers: { 'Request-Date': OTHER_DATE } }, ok({ PromoEventRepeated: 1 })],
    [
      'an old copy',
      { headers: { 'Request-Date': DATE } },
      ok({ LastGoodConfigServed: 1 }),
      'reads',
    ],
    ['another user', { token: { user: 'another' } }, refusedUser('ForbiddenException')],
    [
      'another user with a wrong App-Id',
      { token: { user: 'a third' }, headers: wrongKey },
      refusedUser('Unauthorized'),
    ],
    ['a table that takes no writes', {}, ok({ PromoEventQueued: 1 }), 'writes'],
    ['no queue either', {}, failed('ServiceUnavailableException'), 'writes and queue'],
  ],
};

function fail(failing?: Failing): void {
  service.toDynamoDb.faultOf = (call) => {
    if (failing === 'reads') return call.operation === 'GetItem' ? 'internal error' : undefined;
    return failing ? noWrites(call) : undefined;
  };
  service.toSqs.faultOf = () => (failing === 'writes and queue' ? 'internal error' : undefined);
}

describe.each(OPERATIONS.map((operation) => [operation.folder, operation] as const))(
  '%s counts',
  (folder, operation) => {
    const total: Record<string, number> = {};

    // What a call counts too often, or too late, is too much for the next one.
    test.each([...(OF_ONE[folder] ?? OF_ANY), ...OF_EACH(operation)])(
      '%s',
      async (_, call, counts, failing) => {
        for (const [key, sum] of Object.entries(counts)) total[key] = (total[key] ?? 0) + sum;
        fail(failing);
        // A refused customer counts once.
        const user = counts.SignedCallRefused ? { user: randomUUID() } : {};
        await service.send(operation, { ...call, token: { ...user, ...call.token } });
        fail();
        await expect.poll(() => countsOf(folder)).toEqual(total);
      },
    );
  },
);

/**
 * More than one each is possible: what fails, or takes longer than the visibility timeout, is
 * delivered again.
 */
const SOME = expect.toSatisfy((count) => count > 0);

test('the function of the queue counts what fails, and what is stored by its kind', async () => {
  const { logged } = service.watchLog();
  fail('writes');
  const body = { ...PROMO_REQUEST, promoCode: 'QUEUED' };
  for (const date of [DATE, OTHER_DATE]) {
    await service.applyPromoCode({ body, headers: { 'Request-Date': date } });
  }
  await logged('A promo event stays in the queue');
  fail();
  const counts = { ServerErrors: SOME, 'ServerErrors $LATEST': SOME, PromoEventApplied: SOME };
  await expect
    .poll(() => countsOf(storeQueuedPromoEvents.folder))
    .toEqual({ ...counts, PromoEventRepeated: SOME });
});

test('the function that publishes counts what the bus took, and what stays', async () => {
  const publisher = service.functionOf(publishPromoEvents.name);
  const setFault = (fault: string) =>
    fetch(service.outputs.FaultEndpoint, { method: 'PUT', body: fault });
  const record = (eventID: string, user: string, ageSeconds = 0) => ({
    eventID,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000) - ageSeconds,
      Keys: { clientId: { S: PROMO_REQUEST.clientId }, eventId: { S: eventID } },
      NewImage: { kind: { S: 'applied' }, userId: { S: user } },
      SequenceNumber: eventID,
    },
  });
  await publisher.invoke({ Records: [record('1', 'erased', 61), record('2', 'jane', 61)] });
  await setFault('bus-down');
  await publisher.invoke({ Records: [record('3', 'jane')] });
  await setFault('none');
  await expect
    .poll(() => countsOf(publishPromoEvents.folder))
    .toEqual({
      PromoEventPublished: SOME,
      ServerErrors: SOME,
      'ServerErrors $LATEST': SOME,
    });
});

test('the function of the history counts changes that bypass the tools, those that harm a client, and those that fail or are skipped', async () => {
  const { folder } = recordConfigurationVersions;
  // The clients of these tests, two of which apps cannot use.
  await expect.poll(() => countsOf(folder)).toEqual({ ManualEdit: 3, ClientHarmed: 2 });
  const client = { clientId: 'edited', appIds: new Set(['key']), fields: [], lastFieldId: 0 };
  fail('writes');
  await service.putConfig(client);
  await expect.poll(() => countsOf(folder)).toMatchObject({ ServerErrors: SOME });
  fail();
  // The version has more attributes than the item, which is almost as large as an item may be.
  const change = { id: '1', by: 'ann', at: new Date().toISOString(), creates: 'huge' };
  const lastChange = { ...change, message: 'x'.repeat(400 * 1024 - 200) };
  await service.putConfig({ clientId: 'huge', lastChange });
  await expect
    .poll(() => countsOf(folder))
    .toEqual({
      ManualEdit: 4,
      ClientHarmed: 2,
      ChangeSkipped: 1,
      ServerErrors: SOME,
      'ServerErrors $LATEST': SOME,
    });
});

test('the function that checks promo events counts each broken guarantee', async () => {
  const [item] = await service.promoEvents();
  await service.putPromoEvent({ ...item, source: 'changed' });
  await expect.poll(() => countsOf(checkPromoEvents.folder)).toEqual({ GuaranteeBroken: 1 });
});

test('these are the metrics that alarms and graphs may use, with no client, user or token as a dimension', () => {
  const seen = new Map<string, Set<string>>();
  for (const { namespace, name, dimensions } of datapoints()) {
    const { service: folder = '', ...others } = dimensions;
    expect([namespace, others.stage]).toEqual(['CustomerDataApi', 'dev']);
    expect(['stage', 'stage,code', 'stage,version']).toContain(Object.keys(others).join());
    seen.set(folder, (seen.get(folder) ?? new Set()).add(name));
  }
  const sorted = [...seen].map(([folder, names]) => [folder, [...names].sort()] as const);
  expect(Object.fromEntries(sorted)).toEqual(EMITTED_METRICS);
});
