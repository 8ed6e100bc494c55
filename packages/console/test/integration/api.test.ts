import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { fingerprintOf } from 'customer-data-api/clients';
import { newestVersion } from 'customer-data-api/history';
import { PERMISSIONS } from 'customer-data-api/permissions';
import { type Answers, NO_RESPONSE, startAws } from 'customer-data-api/testing/aws';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { expectPermitted } from 'customer-data-api/testing/permitted-calls';
import { IS_WHOLE } from 'customer-data-api/testing/runs';
import { startService } from 'customer-data-api/testing/service';
import { worstItems } from 'customer-data-api/testing/worst-items';
import { runCommandLine } from 'customer-data-api-command-line';
import { deploymentOf } from 'customer-data-api-deployment';
import { findClient } from 'customer-data-api-editor/clients';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import type { FoundClient, Versions } from '../../page/src/answers.ts';
import { api } from '../../server/api.ts';
import { operatorOf } from '../../server/call.ts';

/*
 * The API of the console, called without a socket. Its deployment is in AWS, whose calls a running
 * service answers unless a test does.
 */

const OPERATOR = 'arn:aws:iam::123456789012:user/jane';
const { fields: FIELDS } = parse(PIZZA) as { fields: Record<string, unknown>[] };
const [PIZZA_FIELD = {}, NUMBER = {}, CAR = {}] = FIELDS;
const APP_ID = 'app-id-of-a-test';

const service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
const { database, queues, events } = service.servers;
const aws = await startAws({ DynamoDB: database, AmazonSQS: queues, AWSEvents: events });
for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
const { JwksUri: _, ...others } = service.outputs;
const endpoints = { DynamoDbEndpoint: aws.endpoint, SqsEndpoint: aws.endpoint };
const deployment = deploymentOf({
  stackName: 'CustomerDataApi-prod',
  outputs: { ...others, ...endpoints, RetainsData: 'true' },
});
const operator = operatorOf(deployment);
/** The permissions of those who edit, and of those who only view. */
const EDITOR = PERMISSIONS.filter(({ policy }) => policy !== 'OnCall');
const VIEWER = EDITOR.filter(({ policy }) => policy === 'Viewer');
/** Calls that a viewer's console may not make: to publish, and to search the logs. */
const REFUSED_TO_VIEWERS = ['UpdateItem', 'StartQuery', 'GetQueryResults'];
const awsAnswers = (answers: Answers = {}) =>
  aws.answer({ GetCallerIdentity: `<Arn>${OPERATOR}</Arn>`, ...answers });
beforeEach(() => awsAnswers());
afterAll(async () => {
  operator[Symbol.dispose]();
  await aws.stop();
  await service.stop();
});

async function call(method: string, path: string, base = '', body?: object, caller = operator) {
  const headers = { [method === 'GET' ? 'If-None-Match' : 'If-Match']: `"${base}"` };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const before = aws.calls.length;
  const response = await api.fetch(new Request(`http://127.0.0.1/api/${path}`, init), caller);
  const calls = aws.calls.slice(before);
  const reads = calls.filter(({ operation }) => !REFUSED_TO_VIEWERS.includes(operation));
  expectPermitted(calls, EDITOR, deployment.outputs);
  if (method === 'GET') expectPermitted(reads, VIEWER, deployment.outputs);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('Content-Type') === 'application/json';
  // biome-ignore lint/suspicious/noExplicitAny: each path has its own, which its tests check
  const value = (isJson && JSON.parse(bytes.toString())) as any;
  return { response, bytes, status: response.status, body: value };
}

/** Reads an item as it is stored. */
const rawOf = async (clientId: string) => (await findClient(operator.tables, clientId))?.raw;

/** Waits until a client has a number of versions. */
const recorded = (clientId: string, version: number) =>
  vi.waitUntil(async () => (await newestVersion(operator.tables, clientId))?.version === version, {
    interval: 5,
  });

let clients = 0;

/** Stores a client as somebody does by hand, and waits for its first version. */
async function stored(): Promise<string> {
  const clientId = `client ${++clients}/ä%2F`;
  const appIds = new Set([APP_ID]);
  await service.putConfig({ clientId, fields: FIELDS, lastFieldId: 3, appIds });
  await recorded(clientId, 1);
  return clientId;
}

const at = (clientId: string, rest = '') => `clients/${encodeURIComponent(clientId)}${rest}`;
const show = async (clientId: string) => (await call('GET', at(clientId))).body;
const publish = (id: string, base: string, draft: object, more = {}, caller = operator) =>
  call('POST', at(id, '/publish'), base, { draft, message: 'Why', ...more }, caller);
const renamed = (fieldName: string) => ({ fields: [{ ...PIZZA_FIELD, fieldName }, NUMBER, CAR] });
const served = async (clientId: string) =>
  (await service.getConfig({ body: { clientId }, headers: { 'App-Id': APP_ID } })).body.data;

/** The effect of another caption. */
const called = (after: string) => ({
  code: 'captionChanged',
  facts: { after: JSON.stringify(after) },
});

test('a version is not restored over what the operator has not seen', async () => {
  const clientId = await stored();
  const { response, body: client } = await call('GET', at(clientId));
  expect(response.headers.get('ETag')).toBe(`"${client.state}"`);
  expect(client.live).toMatchObject({ version: 1, source: 'manualEdit', digest: client.base });
  expect((await call('GET', at(clientId), client.state)).status).toBe(304);
  await publish(clientId, client.base, renamed('Theirs'));
  expect((await call('GET', at(clientId), client.state)).status).toBe(200);
  const { body: version } = await call('GET', at(clientId, '/versions/2'));
  expect(version.effects).toMatchObject([called('Theirs')]);
  expect(await publish(clientId, client.base, { restores: 1 })).toMatchObject({
    status: 412,
    body: {
      outcome: 'nothing',
      conflict: {
        theirs: { fields: [{ fieldName: 'Theirs' }, {}, {}] },
        since: [{ version: { version: 2, by: OPERATOR }, effects: [{ code: 'captionChanged' }] }],
      },
    },
  });
  expect(await served(clientId)).toMatchObject({ fields: [{ fieldName: 'Theirs' }, {}, {}] });
});

test('inputs change places in a draft only if it undoes the version that exchanged them', async () => {
  const clientId = await stored();
  const { subFieldA, subFieldB } = CAR;
  const exchanged = { ...CAR, subFieldA: subFieldB, subFieldB: subFieldA };
  await service.putConfig({ clientId, fields: [PIZZA_FIELD, NUMBER, exchanged], lastFieldId: 3 });
  await recorded(clientId, 2);
  const { base } = await show(clientId);
  const { body: undo } = await call('GET', at(clientId, '/versions/2/undo'));
  expect(undo).toMatchObject({ from: { base, fields: [{}, {}, exchanged] }, undoes: 2 });
  const draft = { fields: undo.fields };
  const refused = await publish(clientId, base, draft, { confirm: clientId });
  expect(refused).toMatchObject({ status: 422, body: { code: 'inputsExchanged' } });
  const unconfirmed = await publish(clientId, base, { ...draft, undoes: 2 });
  expect(unconfirmed.body.code).toBe('notConfirmed');
  await publish(clientId, base, { ...draft, undoes: 2 }, { confirm: clientId });
  expect((await rawOf(clientId))?.fields?.L?.[2]?.M?.subFieldB?.M?.subType).toEqual({ S: 'text' });
  const { body: version } = await call('GET', at(clientId, '/versions/1'));
  expect(version.notUndone).toBe('oldest');
  expect((await call('GET', at(clientId, '/versions/1/undo'))).body.code).toBe('notUndoable');
});

test('a new option whose text had another value is told by the review, and the history has that', async () => {
  const clientId = await stored();
  const dropdown = Object(PIZZA_FIELD.subFieldA);
  const withOptions = (...optionsArray: object[]) => ({
    fields: [{ ...PIZZA_FIELD, subFieldA: { ...dropdown, optionsArray } }, NUMBER, CAR],
  });
  const [margherita, funghi] = dropdown.optionsArray;
  await publish(clientId, (await show(clientId)).base, withOptions(margherita));
  const { base } = await show(clientId);
  const change = withOptions(margherita, { ...funghi, value: 'funghi' });
  const { body: review } = await call('POST', at(clientId, '/review'), base, { draft: change });
  expect(review.effects).toContainEqual(
    expect.objectContaining({
      code: 'optionHadValue',
      facts: expect.objectContaining({ value: '"f"' }),
    }),
  );
  const { body: history } = await call('GET', at(clientId, '/options/1'));
  expect(history.options).toEqual(
    [margherita, funghi].map((option) => ({ input: 'subFieldA', ...option })),
  );
});

test('the fields of a spreadsheet are found by the digest that it names, live and in the history', async () => {
  const clientId = await stored();
  const { base } = await show(clientId);
  const read = (digest: string) => call('GET', at(clientId, `/fields/${digest.slice(0, 12)}`));
  expect((await read(base)).body).toEqual({ fields: FIELDS });
  await publish(clientId, base, renamed('Second'));
  const second = (await show(clientId)).base;
  const note = 'x'.repeat(400 * 1024 - 500);
  await service.putConfig({ clientId, lastFieldId: 3, fields: [{ ...NUMBER, note }] });
  await recorded(clientId, 3);
  const large = (await show(clientId)).base;
  await service.putConfig({ clientId, lastFieldId: 3, fields: [NUMBER] });
  await recorded(clientId, 4);
  expect((await read(base)).body).toEqual({ fields: FIELDS });
  expect((await read(second)).body).toMatchObject(renamed('Second'));
  expect(await read(large)).toMatchObject({ status: 422, body: { code: 'versionWithoutFields' } });
  expect(await read('0123456789ab')).toMatchObject({
    status: 404,
    body: { code: 'noSuchVersion' },
  });
});

test('what is live, and was before, is the same for history and console after changes without effect', async () => {
  const clientId = await stored();
  const { base } = await show(clientId);
  await publish(clientId, base, renamed('Second'));
  const item = { clientId, lastFieldId: 3, ...renamed('Second') };
  // Other App-Ids, other app clients, and another lastFieldId leave nothing to restore.
  await service.putConfig({ ...item, appIds: new Set(['other-app-id']) });
  await recorded(clientId, 3);
  await service.putConfig({ ...item, userPoolClientIds: new Set(['one']) });
  await recorded(clientId, 4);
  const { body: history } = await call('GET', at(clientId, '/versions'));
  const states = history.versions.map(({ state }: { state: string }) => state);
  expect(states).toEqual(['unchanged', 'unchanged', 'live', 'replaced']);
  const [appClients, appIds, published] = history.versions;
  expect(appClients.access).toContainEqual(
    expect.objectContaining({ code: 'appClientAdded', facts: { name: 'one' } }),
  );
  expect(appIds.access).toContainEqual(
    expect.objectContaining({ code: 'appIdAdded', facts: { name: fingerprintOf('other-app-id') } }),
  );
  expect(published.access).toEqual([]);
  const { body: compared } = await call('GET', at(clientId, '/comparison?before=2&after=3'));
  expect(compared).toMatchObject({
    effects: [{ code: 'appIdsReplaced' }, ...appIds.access],
    lines: [],
  });
  expect((await show(clientId)).live).toMatchObject({ version: 2, by: OPERATOR });
  const live = await show(clientId);
  await publish(clientId, live.base, { restores: 1 });
  const { versions } = (await call('GET', at(clientId, '/versions'))).body;
  expect(versions[0].sameAs).toBe(1);
});

describe('a file', () => {
  const open = (clientId: string, content: object, asCopy?: true) =>
    call('POST', at(clientId, '/open'), '', {
      text: stringify(content),
      ...(asCopy && { asCopy }),
    });
  const refused = (kind: string, more = {}) => ({
    status: 412,
    body: { code: 'configurationConflict', outcome: 'nothing', conflict: { kind, ...more } },
  });
  /** Another question than here has the id 2, and one that is only there the id 3. */
  const elsewhere = { fields: [{ ...NUMBER, fieldName: 'Nickname' }, PIZZA_FIELD], language: 'en' };

  test.each([
    ['of another stage', 'unknownBase', { base: 'f'.repeat(64) }],
    ['without a base', 'noBase', {}],
    ['whose base was emptied', 'noBase', { base: null }],
    ['of another client', 'otherClient', { clientId: 'acme', base: 'f'.repeat(64) }],
  ])('%s is refused, and replaces what is live as a copy', async (_, kind, named) => {
    const clientId = await stored();
    const file = { clientId, ...named, ...elsewhere };
    expect(await open(clientId, file)).toMatchObject(refused(kind));
    const { body } = await open(clientId, file, true);
    const { base } = await show(clientId);
    expect(body.draft.from).toEqual({ base, fields: FIELDS });
    const ids = body.draft.fields.map(({ id }: { id: string }) => id);
    expect([ids, body.draft.language]).toEqual([['4', '1'], 'en']);
    expect(body.changedIds).toEqual([
      {
        fieldName: 'Nickname',
        from: '2',
        to: '4',
        had: { version: 1, fieldName: 'Membership number' },
      },
    ]);
    const { fields, language } = body.draft;
    const reviewed = await call('POST', at(clientId, '/review'), base, {
      draft: { fields, language },
    });
    expect(reviewed.body.effects).toMatchObject(
      expect.arrayContaining(
        ['Membership number', 'Car'].map((caption) =>
          expect.objectContaining({ code: 'fieldRemoved', facts: { field: { caption } } }),
        ),
      ),
    );
    const confirmed = await publish(clientId, base, { fields, language }, { confirm: clientId });
    expect(confirmed.body).toMatchObject({ hasEffect: true, version: { version: 2 } });
    // The copy can be repeated.
    expect((await open(clientId, file, true)).body.draft.fields).toEqual(fields);
  });

  test('without a base opens for a client without fields', async () => {
    const clientId = `client ${++clients}/ä%2F`;
    await service.putConfig({ clientId, fields: [], appIds: new Set([APP_ID]) });
    expect((await open(clientId, elsewhere)).body.draft.fields).toEqual(elsewhere.fields);
  });

  test('that was live is refused, and one that is live is a draft without changes', async () => {
    const clientId = await stored();
    const { base } = await show(clientId);
    const file = { clientId, base, fields: [...renamed('Mine').fields, { ...CAR, id: undefined }] };
    const { fields } = (await open(clientId, file)).body.draft;
    await publish(clientId, base, { fields });
    const live = await show(clientId);
    expect((await open(clientId, file)).body.draft).toEqual({
      from: { base: live.base, fields: live.fields },
      fields: live.fields,
    });
    // Sent again, because the response was lost.
    expect((await publish(clientId, base, { fields })).body).toMatchObject({ hasEffect: false });
    await publish(clientId, live.base, renamed('Bad'));
    const wasLive = refused('wasLive', { version: { version: 2 } });
    expect(await open(clientId, file)).toMatchObject(wasLive);
    expect(await publish(clientId, base, { fields })).toMatchObject(wasLive);
    const reviewed = await call('POST', at(clientId, '/review'), base, { draft: { fields } });
    expect(reviewed).toMatchObject(wasLive);
    expect((await show(clientId)).fields[0].fieldName).toBe('Bad');
  });
});

test('any two versions are compared, in both directions', async () => {
  const clientId = await stored();
  await publish(clientId, (await show(clientId)).base, renamed('Second'));
  await publish(clientId, (await show(clientId)).base, renamed('Third'));
  const compared = async (before: number, after: number) =>
    (await call('GET', at(clientId, `/comparison?before=${before}&after=${after}`))).body;
  const { fieldName } = PIZZA_FIELD;
  expect(await compared(1, 3)).toMatchObject({
    effects: [called('Third')],
    before: { fields: [{ fieldName }, {}, {}] },
  });
  expect((await compared(3, 2)).effects).toMatchObject([called('Second')]);
  expect((await compared(2, 9)).code).toBe('noSuchVersion');
});

test('the outcome of a publication whose response AWS does not send is unknown', async () => {
  const clientId = await stored();
  const { base } = await show(clientId);
  awsAnswers({ UpdateItem: NO_RESPONSE });
  const answer = await publish(clientId, base, renamed('Lost'));
  expect(answer).toMatchObject({ status: 503, body: { outcome: 'unknown' } });
});

test('to show a client writes nothing, though it asks whether the operator may write', async () => {
  const clientId = await stored();
  const before = await rawOf(clientId);
  expect(await show(clientId)).not.toHaveProperty('refusal');
  expect(aws.inputsOf('UpdateItem')).toHaveLength(1);
  expect(await rawOf(clientId)).toEqual(before);
});

describe('a draft is not published', () => {
  test.each([
    ['with an error', { fields: [{ ...NUMBER, mandatory: 'yes' }] }, {}, 'moreErrors'],
    ['with half of a character', renamed('\ud800'), {}, 'unstorableValue'],
    ['that removes most fields', { fields: [NUMBER] }, { confirm: 'another' }, 'notConfirmed'],
    ['without a message', renamed('Pizza'), { message: ' ' }, 'usage'],
  ])('%s', async (_, change, more, code) => {
    const clientId = await stored();
    const { base } = await show(clientId);
    expect((await publish(clientId, base, change, more)).body).toMatchObject({ code });
    expect((await show(clientId)).base).toBe(base);
  });

  test('by a console that is older than the deployment', async () => {
    const clientId = await stored();
    const { base } = await show(clientId);
    const outputs = { ...deployment.outputs, Release: '999.0.0' };
    const older = { ...operator, deployment: { ...deployment, outputs } };
    const refused = await publish(clientId, base, renamed('Pizza'), {}, older);
    expect(refused.body).toMatchObject({ code: 'olderCommands', outcome: 'nothing' });
    const { body } = await call('GET', at(clientId), '', undefined, older);
    expect(body).toMatchObject({ base, refusal: expect.any(String) });
  });
});

test('a field with a value that JSON cannot hold is an error, and stays as it is stored', async () => {
  const clientId = await stored();
  const before = await rawOf(clientId);
  const odd = { exact: { N: '12345678901234567890123' }, bytes: { B: new Uint8Array([0, 255]) } };
  const [first, ...others] = before?.fields?.L ?? [];
  const Item = { ...before, fields: { L: [{ M: { ...first?.M, ...odd } }, ...others] } };
  const TableName = service.outputs.ConfigsTableName;
  await service.dynamodb.send(new PutItemCommand({ TableName, Item }));
  const { base, fields } = await show(clientId);
  const [field, ...rest] = fields;
  const { body } = await publish(clientId, base, { fields: [...rest, field] });
  expect(body.code).toBe('moreErrors');
  expect(await rawOf(clientId)).toEqual(Item);
});

test('no response that reads has an App-Id, and the list of clients reads no fields', async () => {
  const clientId = await stored();
  await service.putConfig({ clientId: 'locked', fields: [], appIds: 'key-a, key-b' });
  const own = ['', '/access', '/app-ids/uses', '/codes', '/versions'].map((one) =>
    at(clientId, one),
  );
  for (const path of ['clients', 'findings', 'deployment', 'checks', ...own]) {
    const { status, bytes } = await call('GET', path);
    expect([path, status]).toEqual([path, 200]);
    expect(bytes.toString()).not.toContain(APP_ID);
  }
  const [{ ProjectionExpression } = {}] = aws.inputsOf('Scan');
  expect(ProjectionExpression).toBe('clientId,appIds,userPoolClientIds,lastChange');
  const { body } = await call('GET', 'clients');
  expect(body.clients).toContainEqual({ clientId, appIdCount: 1, isLockedOut: false });
  const { body: found } = await call('GET', 'findings');
  for (const one of [
    { clientId, fields: 3, isLockedOut: false },
    { clientId: 'locked', isLockedOut: true },
  ]) {
    expect(found.clients).toContainEqual(expect.objectContaining(one));
  }
  expect((await call('GET', 'clients/locked/access')).body.isLockedOut).toBe(true);
});

test('what is wrong with clients is kept for five minutes, but for one that a tool changes', async () => {
  // It accepts all app clients, which is an error by itself.
  const clientId = await stored();
  const find = async (path = 'findings') => {
    const before = aws.calls.length;
    const { body } = await call('GET', path);
    const { errors } = body.clients.find((one: FoundClient) => one.clientId === clientId);
    const isAll = aws.calls.slice(before).some(({ operation }) => operation === 'Scan');
    return { errors, isAll };
  };
  const edit = async (version: number, changed: object) => {
    await service.putConfig({ ...unmarshall((await rawOf(clientId)) ?? {}), ...changed });
    await recorded(clientId, version);
  };
  const broken = { fields: [{ ...NUMBER, mandatory: 'yes' }, CAR] };
  const repair = async (caller = operator) =>
    publish(clientId, (await show(clientId)).base, { fields: [NUMBER, CAR] }, {}, caller);
  await find('findings?again');
  await edit(2, broken);
  expect(await find()).toEqual({ errors: 1, isAll: false });
  expect(await find('findings?again')).toEqual({ errors: 2, isAll: true });
  await repair();
  expect(await find()).toEqual({ errors: 1, isAll: false });
  await edit(4, broken);
  await find('findings?again');
  using colleague = operatorOf(deployment);
  await repair(colleague);
  expect(await find()).toEqual({ errors: 2, isAll: false });
  await call('GET', 'clients');
  expect(await find()).toEqual({ errors: 1, isAll: false });
  await edit(6, broken);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_001 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await find()).toEqual({ errors: 2, isAll: true });
  aws.answer({ Scan: NO_RESPONSE });
  expect((await call('GET', 'findings?again')).status).toBe(503);
  awsAnswers();
  expect((await find()).isAll).toBe(true);
});

describe('a rollout', () => {
  const digestOf = async (clientId: string) => (await show(clientId)).rollout?.digest;
  const change = async (clientId: string, id: string, rollout: string, digest?: string) =>
    publish(clientId, '', { id, rollout, digest: digest ?? (await digestOf(clientId)) ?? '' });
  /** Edits the item of a client by hand. */
  const edit = async (
    clientId: string,
    version: number,
    more: (rollout: Readonly<Record<string, unknown>>) => object,
  ) => {
    const item = unmarshall((await rawOf(clientId)) ?? {});
    await service.putConfig({ ...item, clientId, ...more(item.rollout) });
    await recorded(clientId, version);
  };
  const started = async () => {
    const clientId = await stored();
    const { base } = await show(clientId);
    const starts = { percent: '0', devices: 'FIRST\n\nsecond ' };
    const { body } = await publish(clientId, base, renamed('New'), { starts });
    expect(body).toMatchObject({ hasEffect: true, version: { version: 2 } });
    return { clientId, base, ...(await show(clientId)).rollout };
  };

  test('is shown, widened and finished with what a colleague has edited', async () => {
    const { clientId, base, id, ...rollout } = await started();
    const effects = [called('New')];
    const candidate = { fields: [{ fieldName: 'New' }, {}, {}] };
    expect(rollout).toMatchObject({ percent: 0, devices: ['FIRST', 'second'], effects, candidate });
    const { response } = await call('GET', at(clientId));
    const known = response.headers.get('ETag')?.replaceAll('"', '');
    expect((await call('GET', at(clientId), known)).status).toBe(304);
    expect((await change(clientId, id, '60')).status).toBe(200);
    expect(await publish(clientId, base, renamed('Other'))).toMatchObject({
      status: 409,
      body: { code: 'rolloutRunning' },
    });
    expect((await call('GET', at(clientId), known)).body.rollout.percent).toBe(60);
    const mandatory = [PIZZA_FIELD, NUMBER, { ...CAR, mandatory: true }];
    await edit(clientId, 4, (rollout) => ({ rollout, fields: mandatory }));
    const edited = await show(clientId);
    expect(edited.rollout.isEdited).toBe(true);
    const finish = { id, rollout: 'finish', digest: edited.rollout.digest };
    expect((await publish(clientId, base, finish)).body.code).toBe('conflict');
    expect((await publish(clientId, edited.base, finish)).body.hasEffect).toBe(true);
    expect(await served(clientId)).toMatchObject({ fields: [{ fieldName: 'New' }, {}, {}] });
    expect((await show(clientId)).fields[2].mandatory).toBe(true);
  });

  test('at 0 % blocks nobody, is merged before it is widened, and ends for those who were shown it', async () => {
    const { clientId, base, id, digest, start } = await started();
    expect(start).toMatchObject({ version: 2, by: expect.any(String) });
    const corrected = { fields: [PIZZA_FIELD, NUMBER, { ...CAR, mandatory: true }] };
    expect((await publish(clientId, base, corrected)).body.version.version).toBe(3);
    const now = await show(clientId);
    expect(now.rollout).toMatchObject({ id, isEdited: true });
    expect(await change(clientId, id, '60', digest)).toMatchObject({
      status: 412,
      body: { code: 'configurationConflict', conflict: { kind: 'changed' } },
    });
    // A draft of it takes nothing back.
    const { from } = (await call('GET', at(clientId, '/versions/3/candidate'))).body;
    expect(from.base).toBe(base);
    const merge = { id, digest, rollout: '0', merges: true };
    expect((await publish(clientId, base, merge)).body.code).toBe('conflict');
    expect((await publish(clientId, now.base, merge)).status).toBe(200);
    const merged = await show(clientId);
    expect(merged.rollout.isEdited).toBe(false);
    expect(merged.rollout.candidate.fields).toMatchObject([
      { fieldName: 'New' },
      {},
      { mandatory: true },
    ]);
    const { id: _, ...fresh } = NUMBER;
    const draft = { fields: [...corrected.fields, { ...fresh, fieldName: 'Number of the card' }] };
    const starts = { percent: '0', devices: 'third' };
    for (const replaces of [undefined, now.rollout.state]) {
      const more = { starts: { ...starts, replaces } };
      expect((await publish(clientId, now.base, draft, more)).body.code).toBe('conflict');
    }
    const shown = { starts: { ...starts, replaces: merged.rollout.state } };
    const { previewed } = (await publish(clientId, now.base, draft, shown)).body;
    expect(previewed.at(-1)).toMatchObject({ id: '4', fieldName: 'Number of the card' });
    expect((await show(clientId)).rollout).toMatchObject({ devices: ['third'] });
  });

  test('is in the history with its candidate, which can be started again after a stop', async () => {
    const { clientId, id } = await started();
    await change(clientId, id, '10');
    await change(clientId, id, 'stop');
    const effects = [called('New')];
    const read = async (rest: string) => (await call('GET', at(clientId, rest))).body;
    expect(await read('/versions/3')).toMatchObject({ effects: [], candidate: effects });
    expect(await read('/comparison?before=1&after=3-candidate')).toMatchObject({
      effects,
    });
    expect((await read('/comparison?before=1&after=4-candidate')).code).toBe('noRollout');
    const { from, fields } = await read('/versions/3/candidate');
    const starts = { percent: '1', devices: '' };
    expect((await publish(clientId, from.base, { fields }, { starts })).status).toBe(200);
    const { base, rollout } = await show(clientId);
    const { digest } = rollout;
    await publish(clientId, base, { id: rollout.id, rollout: 'finish', digest });
    const { versions } = await read('/versions');
    const listed = (versions as Versions['versions']).map((one) =>
      [one.rolloutEffect?.code, one.rolloutEnd?.effect.code, one.state, one.sameAs].join(' '),
    );
    expect(listed).toEqual([
      'rolloutFinished  live ',
      'rolloutStarted rolloutFinished unchanged 1',
      'rolloutStopped  unchanged 1',
      'rolloutWidened rolloutStopped unchanged 1',
      'rolloutStarted rolloutWidened unchanged 1',
      '  replaced ',
    ]);
  });

  test('reaches no more devices once its candidate was edited after the operator read it', async () => {
    const { clientId, base, id, digest } = await started();
    const reviewed = { id, rollout: 'finish', digest };
    const review = () => call('POST', at(clientId, '/review'), base, { draft: reviewed });
    expect((await review()).status).toBe(200);
    await edit(clientId, 3, (rollout) => ({
      rollout: { ...rollout, fields: renamed('By hand').fields },
    }));
    expect((await publish(clientId, base, reviewed)).body.code).toBe('conflict');
    expect((await review()).body.code).toBe('conflict');
    expect((await change(clientId, id, '50', digest)).body.code).toBe('conflict');
    // A stop is of one rollout, whatever has become of its candidate.
    expect((await change(clientId, 'another', 'stop')).body.code).toBe('conflict');
    expect((await change(clientId, id, 'stop', digest)).status).toBe(200);
    expect((await change(clientId, id, 'stop')).body.code).toBe('noRollout');
  });

  test('can be stopped if it is damaged, as the operator read it', async () => {
    const clientId = await stored();
    const damage = async (percent: string) => {
      const item = unmarshall((await rawOf(clientId)) ?? {});
      await service.putConfig({ ...item, clientId, rollout: { percent } });
    };
    await damage('5');
    const { response, body: client } = await call('GET', at(clientId));
    expect(client).not.toHaveProperty('rollout');
    const { damagedRollout } = client;
    expect(damagedRollout).toBeDefined();
    const starts = { percent: '5', devices: '' };
    const start = await publish(clientId, client.base, renamed('Other'), { starts });
    const stop = { command: expect.stringContaining('rollout stop ') };
    const lines = [expect.arrayContaining([{ value: clientId }]), ['Discard it: ', stop]];
    expect(start).toMatchObject({ status: 409, body: { code: 'damagedRollout', lines } });
    const known = response.headers.get('ETag')?.replaceAll('"', '');
    await damage('6');
    const { body: edited } = await call('GET', at(clientId), known);
    expect((await change(clientId, damagedRollout.id, 'stop')).body.code).toBe('conflict');
    expect((await change(clientId, edited.damagedRollout.id, 'stop')).status).toBe(200);
  });
});

describe('who may call', () => {
  const post = (path: string, body: object) => call('POST', path, '', body);
  const accessOf = async (clientId: string) => (await call('GET', at(clientId, '/access'))).body;
  const [APP_CLIENT = ''] = deployment.outputs.UserPoolClientId.split(',');
  const created = async (options: object = {}) => {
    const body = { clientId: `new-${++clients}`, appClients: [APP_CLIENT], ...options };
    return (await post('clients', body)).body;
  };

  test('a client is created, its App-Id rotated, and the last one kept', async () => {
    const { clientId, appId, fingerprint } = await created({ label: 'iOS 3' });
    expect(fingerprint).toBe(fingerprintOf(appId));
    const path = at(clientId, '/app-ids');
    expect((await post(`${path}/revoke`, { fingerprint })).body.code).toBe('lastAppId');
    expect((await post(path, { label: 'iOS 3' })).status).toBe(400);
    const { body: added } = await post(path, { label: 'iOS 4' });
    expect((await post(`${path}/revoke`, { fingerprint })).status).toBe(200);
    expect((await post(`${path}/revoke`, { fingerprint })).status).toBe(404);
    const name = (label: string) => post(`${path}/name`, { fingerprint: added.fingerprint, label });
    expect((await name(' ')).status).toBe(400);
    expect((await name('iOS 5')).status).toBe(200);
    const { appIds, promoCodesIgnoreCase } = await accessOf(clientId);
    expect(appIds).toMatchObject([
      { fingerprint: fingerprintOf(added.appId), label: 'iOS 5', by: OPERATOR },
    ]);
    expect(promoCodesIgnoreCase).toBe(true);
  });

  test('the codes of a new client are case-sensitive on request', async () => {
    const { clientId } = await created({ caseSensitiveCodes: true });
    expect(await accessOf(clientId)).toMatchObject({ promoCodesIgnoreCase: false });
  });

  test.each([
    ['no app client', { appClients: [] }, 400],
    ['a label of spaces', { label: ' ' }, 400],
    ['an id like the name of a file', { clientId: 'a.yaml' }, 400],
    ['a case that is no boolean', { caseSensitiveCodes: 'yes' }, 400],
    ['the id of a client that exists', { clientId: 'demo' }, 409],
  ])('no client is created with %s', async (_, wrong, status) => {
    const body = { clientId: 'never', appClients: [APP_CLIENT], ...wrong };
    expect((await post('clients', body)).status).toBe(status);
    expect((await call('GET', at('never'))).status).toBe(404);
  });

  test('app clients are set over those that the operator saw, and over no others', async () => {
    const clientId = await stored();
    const path = at(clientId, '/app-clients');
    expect(await accessOf(clientId)).not.toHaveProperty('appClients');
    const set = (seen: string[] | null) => post(path, { appClients: [APP_CLIENT], seen });
    expect((await set([APP_CLIENT])).body.code).toBe('conflict');
    expect((await set(null)).status).toBe(200);
    expect(await accessOf(clientId)).toMatchObject({ appClients: [APP_CLIENT] });
    expect((await set(null)).body.code).toBe('conflict');
  });

  test('a client is removed only if its id is typed', async () => {
    const { clientId } = await created();
    const path = at(clientId, '/remove');
    expect((await post(path, { confirm: 'another' })).body.code).toBe('notConfirmed');
    expect((await post(path, { confirm: clientId })).status).toBe(200);
    expect((await call('GET', at(clientId))).status).toBe(404);
    // It is recorded a moment later.
    const versions = async () => (await call('GET', at(clientId, '/versions'))).status;
    await expect.poll(versions).toBe(200);
  });
});

test('codes are found by user and by code; the queue is only counted', async () => {
  const user = 'jane';
  for (const promoCode of ['SUMMER26', 'WINTER', 'WINTER']) {
    await service.applyPromoCode({
      token: { user },
      body: { clientId: 'demo', promoCode, userId: user, eventType: 'applied', source: 'app' },
    });
  }
  aws.calls.length = 0;
  for (const query of ['user=jane&code=SUMMER26', 'code=Summer26']) {
    const { body } = await call('GET', `clients/demo/codes?${query}`);
    const event = { userId: 'jane', promoCode: 'SUMMER26', kind: 'applied' };
    const counts = { found: 1, applied: 1, repeated: 0, waiting: 0, deadLetters: 0 };
    expect(body).toMatchObject({ ...counts, events: [event] });
  }
  const { body } = await call('GET', 'clients/demo/codes?user=jane&code=AUTUMN');
  expect(body).toMatchObject({ found: 0, otherCodes: ['WINTER', 'SUMMER26'] });
  expect(aws.calls.map(({ operation }) => operation)).not.toContain('ReceiveMessage');
  const { response, bytes } = await call('GET', 'clients/demo/codes.csv?user=jane');
  expect(response.headers.get('Content-Type')).toMatch('text/csv');
  // In the order of time.
  expect(bytes.toString()).toMatch(/^\ufeffreceivedAt,.*\n.*,SUMMER26,.*\n(.*,WINTER,.*\n){2}$/);
});

test('every code is counted, and what was edited manually is neither applied nor repeated', async () => {
  const item = (code: string, kind?: string) => ({
    userId: { S: 'jane' },
    promoCode: { S: code },
    receivedAt: { S: '2026-11-20T09:30:00.000Z' },
    ...(kind && { kind: { S: kind } }),
  });
  const codes = Array.from({ length: 150 }, (_, number) => `CODE${number}`);
  const edited = [item('CODE0'), item('CODE0', 'aplied')];
  const Items = [...codes.map((code) => item(code, 'applied')), ...edited];
  awsAnswers({ Query: { Items, Count: 152, ScannedCount: 152 } });
  const { body } = await call('GET', 'clients/demo/codes');
  expect(body).toMatchObject({
    found: 152,
    applied: 150,
    repeated: 0,
  });
});

test('a search without a user reads a part, says how far it came, and goes on there', async () => {
  const day = (number: number) => `2026-11-2${number}T09:30:00.000Z`;
  const page = (user: string, receivedAt: string, isLast = false) => ({
    Items: [
      {
        userId: { S: user },
        promoCode: { S: 'A' },
        receivedAt: { S: receivedAt },
        kind: { S: user === 'b' ? 'repeated' : 'applied' },
      },
    ],
    Count: 1,
    ScannedCount: 10_000,
    ...(!isLast && { LastEvaluatedKey: { clientId: { S: 'demo' }, eventId: { S: `${user}#A#` } } }),
  });
  const pages = [page('a', day(1)), page('b', day(3)), page('%C3%A4 c', day(1))];
  awsAnswers({ Query: [...pages, page('d', day(2), true)] });
  const path = 'clients/demo/codes?code=A&since=2026-11-01';
  expect(await call('GET', `${path}&device=D`)).toMatchObject({ status: 400 });
  const { body: first } = await call('GET', path);
  expect(first).toMatchObject({
    found: 3,
    read: 30_000,
    rest: { user: 'ä c' },
    applied: 2,
    repeated: 1,
  });
  // The newest first.
  expect(first.events.map(({ userId }: { userId: string }) => userId)[0]).toBe('b');
  const after = encodeURIComponent(first.rest.after);
  const { body: rest } = await call('GET', `${path}&after=${after}`);
  expect(rest).toMatchObject({ found: 1, read: 10_000, events: [{ userId: 'd' }] });
  expect(rest.rest).toBeUndefined();
  const queries = aws.inputsOf('Query').filter(({ Select }) => Select === 'SPECIFIC_ATTRIBUTES');
  expect(queries.at(-1)?.ExclusiveStartKey).toMatchObject({ eventId: { S: first.rest.after } });
});

test('why codes of a client were refused is in the logs, or it says why that is unknown', async () => {
  const path = 'clients/demo/codes/refusals';
  const row = { clientId: 'demo', code: 'ValidationException', why: 'promoCode is required.' };
  const fields = { ...row, hour: '2026-11-27 09:00:00.000', requests: '2' };
  const results = [Object.entries(fields).map(([field, value]) => ({ field, value }))];
  const GetQueryResults = { status: 'Complete', results };
  awsAnswers({ StartQuery: { queryId: 'query' }, GetQueryResults });
  const ofClient = [{ requests: 2, reason: row.why, advice: expect.any(String) }];
  expect((await call('GET', path)).body).toMatchObject({ ofClient, ofAnyClient: [] });
  awsAnswers({ StartQuery: undefined });
  const { status, body } = await call('GET', path);
  expect([status, body]).toEqual([200, { unknown: expect.stringMatching('StartQuery') }]);
});

test('the command prints the address of the page, and ends with Ctrl-C', async () => {
  const { outputsFile } = service;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const args = ['console', '--outputs', outputsFile, '--port', '0'];
  const ended = runCommandLine(args, { stdin: new PassThrough(), stdout, stderr });
  const [printed] = await once(stdout, 'data');
  const url = new URL(String(printed));
  const clientsUrl = new URL('/api/clients', url);
  const headers = { 'Console-Secret': url.hash.slice(1) };
  expect(await (await fetch(clientsUrl, { headers })).json()).toMatchObject({
    clients: expect.any(Array),
  });
  process.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(0);
  await expect(fetch(clientsUrl, { headers })).rejects.toThrow();
});

test('what nests or is larger than an item is refused, and the file of the largest item opens', async () => {
  const post = (path: string, body: object) =>
    call('POST', `clients/demo/${path}`, '0'.repeat(64), body);
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const fields = JSON.parse(lists(33));
  for (const path of ['review', 'publish', 'file']) {
    expect((await post(path, { draft: { fields }, fields, message: 'Why' })).status).toBe(400);
  }
  for (const levels of IS_WHOLE ? [20_000, 1_000_000] : [20_000]) {
    const { status, body } = await post('open', { text: `fields: ${lists(levels)}` });
    expect([status, body.findings.length, body.draft]).toEqual([200, 1, undefined]);
    const text = `{"change":{"fields":${lists(levels)}}}`;
    const init = { method: 'POST', headers: { 'If-Match': `"${'0'.repeat(64)}"` }, body: text };
    const request = new Request('http://127.0.0.1/api/clients/demo/review', init);
    expect((await api.fetch(request, operator)).status).toBe(400);
  }
  const largest = worstItems('', IS_WHOLE ? undefined : 32_000)['options that are nothing']?.();
  const { base } = await show('demo');
  const { body } = await post('open', { text: stringify({ base, fields: largest?.fields }) });
  expect(body.draft.fields).toEqual(largest?.fields);
  expect((await post('open', { text: ' '.repeat(4_000_000) })).body.code).toBe('tooLarge');
});

test('a request that means two things, or has what would be ignored, is refused and changes nothing', async () => {
  const clientId = await stored();
  const { base } = await show(clientId);
  const starts = { percent: '5', devices: 'one' };
  await publish(clientId, base, renamed('Candidate'), { starts });
  const { id, digest } = (await show(clientId)).rollout;
  const draft = renamed('Other');
  const changes = [
    { ...draft, restores: 1 },
    { ...draft, id, rollout: 'stop' },
    { restores: 1, language: 'de' },
    { restores: 1, id, rollout: 'finish', digest },
    { id, rollout: 'finish', digest, fields: [] },
    { id, rollout: 'stop', restores: 1 },
  ];
  const whole = [
    { restores: 1 },
    { id, rollout: 'stop' },
    { id, rollout: 'finish', digest },
    { id, rollout: '50', digest },
  ];
  const before = await rawOf(clientId);
  for (const change of changes) {
    const reviewed = await call('POST', at(clientId, '/review'), base, { draft: change });
    expect([change, reviewed.status]).toEqual([change, 400]);
  }
  for (const [change, more] of [
    ...changes.map((change) => [change, {}] as const),
    ...whole.map((change) => [change, { starts }] as const),
    [draft, { starts: { ...starts, language: 'de' } }] as const,
    [draft, { restores: 1 }] as const,
  ]) {
    const { status, body } = await publish(clientId, base, change, more);
    expect([change, status, body.code]).toEqual([change, 400, 'usage']);
  }
  expect(await rawOf(clientId)).toEqual(before);
});

test.each([
  ['GET', 'nothing', 404],
  ['GET', 'clients/', 404],
  ['GET', 'clients/%zz', 404],
  ['GET', 'clients/nobody', 404],
  ['GET', 'clients/nobody/versions', 404],
  ['GET', 'clients/demo/versions/0', 404],
  ['GET', 'clients/demo/comparison?before=1&after=1e3', 400],
  ['GET', 'clients/nobody/codes', 404],
  ['GET', 'clients/nobody/codes/refusals', 404],
  ['GET', 'clients/demo/codes?since=tomorrow', 400],
  ['GET', 'clients/demo/codes?since=2026-11-22&until=2026-11-21', 400],
  ['GET', 'clients/demo/codes?after=', 400],
  ['DELETE', 'clients/demo', 404],
  ['POST', 'clients/demo/review', 400, 'digest', { draft: { fields: [] } }],
  ['POST', 'clients/demo/review', 400, '0'.repeat(64)],
  ['POST', 'clients/demo/review', 400, '0'.repeat(64), { draft: { fields: 1 } }],
  ['POST', 'clients/demo/review', 404, '0'.repeat(64), { draft: { restores: 999 } }],
])('%s %s is refused with %i', async (method, path, status, base?: string, body?: object) => {
  const refused = await call(method, path, base, body);
  expect(refused).toMatchObject({ status, body: { code: expect.any(String), message: /./ } });
});
