import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readRawClient } from '../../../../admin/clients/configs-table.ts';
import { runCommandLine } from '../../../../cli/commands/command-line.ts';
import { api } from '../../../../cli/console/api.ts';
import { NO_RESPONSE } from '../../../support/aws.ts';
import { PIZZA } from '../../../support/configurations.ts';
import { type ConsoleApi, OPERATOR, startConsoleApi } from '../../../support/console.ts';

/* The API of the console on the running service, called without a socket. */

const { fields: FIELDS } = parse(PIZZA) as { fields: Record<string, unknown>[] };
const [PIZZA_FIELD = {}, NUMBER = {}, CAR = {}] = FIELDS;
const APP_ID = 'app-id-of-a-test';

let desk: ConsoleApi;
beforeAll(async () => {
  desk = await startConsoleApi();
});
afterAll(() => desk.stop());
beforeEach(() => desk.answer());

let clients = 0;

/** Stores a client as somebody does by hand, and waits for its first version. */
async function stored(more: object = {}): Promise<string> {
  const clientId = `client ${++clients}/ä`;
  const item = { clientId, fields: FIELDS, lastFieldId: 3, appIds: new Set([APP_ID]), ...more };
  await desk.service.putConfig(item);
  await desk.recorded(clientId, 1);
  return clientId;
}

const at = (clientId: string, rest = '') => `clients/${encodeURIComponent(clientId)}${rest}`;
const show = async (clientId: string) => (await desk.get(at(clientId))).body;
const publish = (clientId: string, base: string, fields: readonly unknown[], more: object = {}) =>
  desk.call('POST', at(clientId, '/publish'), {
    base,
    body: { fields, lastFieldId: 3, message: 'Because', ...more },
  });
const renamed = (fieldName: string) => [{ ...PIZZA_FIELD, fieldName }, NUMBER, CAR];
const served = async (clientId: string) =>
  (await desk.service.getConfig({ body: { clientId }, headers: { 'App-Id': APP_ID } })).body.data;

test('a version is not restored over what the operator has not seen', async () => {
  const clientId = await stored();
  const response = await desk.get(at(clientId));
  const { base, live } = response.body;
  expect(response.headers.get('ETag')).toBe(`"${base}"`);
  expect(live).toMatchObject({ version: 1, source: 'outside', digest: base });
  await publish(clientId, base, renamed('Theirs'));
  const body = { message: 'Undo' };
  const refused = await desk.call('POST', at(clientId, '/versions/1/restore'), { base, body });
  expect(refused).toMatchObject({ status: 412, body: { error: { outcome: 'nothing' } } });
  expect(refused.body.conflict).toMatchObject({
    theirs: { fields: [{ fieldName: 'Theirs' }, {}, {}], lastFieldId: 3 },
    since: [{ version: { version: 2, by: OPERATOR }, sentences: [expect.any(String)] }],
  });
  expect(await served(clientId)).toMatchObject({ fields: [{ fieldName: 'Theirs' }, {}, {}] });
});

test('a publication whose response AWS does not send is unknown, and not made twice', async () => {
  const clientId = await stored();
  const { base } = await show(clientId);
  desk.answer({
    UpdateItem: async (_: unknown, passOn: () => Promise<unknown>) => {
      await passOn();
      return NO_RESPONSE;
    },
  });
  const fields = [...FIELDS, { ...NUMBER, id: undefined, fieldName: 'Nickname' }];
  const first = await publish(clientId, base, fields);
  expect(first).toMatchObject({ status: 503, body: { error: { outcome: 'unknown' } } });
  desk.answer();
  await desk.recorded(clientId, 2);
  expect(await publish(clientId, base, fields)).toMatchObject({ status: 412 });
  expect((await served(clientId)).fields).toHaveLength(4);
});

describe('AWS refuses', () => {
  const expired = { __type: 'ExpiredTokenException', message: 'The token has expired.' };

  test('credentials that have expired', async () => {
    const clientId = await stored();
    desk.answer({ GetItem: expired, Scan: expired });
    for (const path of ['clients', at(clientId)]) {
      const { status, body } = await desk.get(path);
      expect([status, body.error.code]).toEqual([403, 'noCredentials']);
    }
  });

  test('the question whether an operator may publish writes nothing', async () => {
    const clientId = await stored();
    const before = await readRawClient(desk.caller.configs, clientId);
    await desk.get(at(clientId, '/permission'));
    await desk.get(at('nobody', '/permission'));
    expect(await readRawClient(desk.caller.configs, clientId)).toEqual(before);
    expect(await readRawClient(desk.caller.configs, 'nobody')).toBe(undefined);
  });
});

describe('a draft is not published', () => {
  test.each([
    ['with an error', [{ ...NUMBER, mandatory: 'yes' }], {}, 422, 'invalidConfiguration'],
    ['with half of a character', renamed('\ud800'), {}, 422, 'unstorableValue'],
    [
      'that removes most fields, with another confirmation',
      [NUMBER],
      { confirm: 'another' },
      409,
      'notConfirmed',
    ],
    ['without a message', renamed('Pizza'), { message: ' ' }, 400, 'usage'],
  ])('%s', async (_, fields, more, status, code) => {
    const clientId = await stored();
    const { base } = await show(clientId);
    expect(await publish(clientId, base, fields, more)).toMatchObject({
      ...{ status, body: { error: { code } } },
    });
    expect((await show(clientId)).base).toBe(base);
  });

  test('by a console that is older than the deployment', async () => {
    const clientId = await stored();
    const { base } = await show(clientId);
    const { deployment } = desk.caller;
    const outputs = { ...deployment.outputs, Release: '999.0.0' };
    const caller = { ...desk.caller, deployment: { ...deployment, outputs } };
    const request = new Request(`http://127.0.0.1/api/${at(clientId, '/publish')}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'If-Match': `"${base}"` },
      body: JSON.stringify({ fields: renamed('Pizza'), message: 'Because' }),
    });
    expect(await (await api(request, caller)).json()).toMatchObject({
      error: { code: 'olderCommands', outcome: 'nothing' },
    });
    const permission = new Request(`http://127.0.0.1/api/${at(clientId, '/permission')}`);
    expect(await (await api(permission, caller)).json()).toMatchObject({ mayPublish: false });
    expect((await show(clientId)).base).toBe(base);
  });
});

test('a field with a value that JSON cannot hold is an error, and stays as it is stored', async () => {
  const clientId = await stored();
  const before = await readRawClient(desk.caller.configs, clientId);
  const odd = { exact: { N: '12345678901234567890123' }, bytes: { B: new Uint8Array([0, 255]) } };
  const [first, ...others] = before?.fields?.L ?? [];
  const Item = { ...before, fields: { L: [{ M: { ...first?.M, ...odd } }, ...others] } };
  const TableName = desk.service.outputs.ConfigsTableName;
  await desk.service.dynamodb.send(new PutItemCommand({ TableName, Item }));
  const { base, fields } = await show(clientId);
  const [field, ...rest] = fields;
  expect(await publish(clientId, base, [...rest, field])).toMatchObject({
    ...{ status: 422, body: { error: { code: 'invalidConfiguration' } } },
  });
  expect(await readRawClient(desk.caller.configs, clientId)).toEqual(Item);
});

test('the list of clients has no App-Id, and neither has any other response', async () => {
  const clientId = await stored({ appIdLabels: {} });
  const paths = ['', '/permission', '/app-ids', '/codes', '/versions', '/versions/1'];
  for (const path of [
    'clients',
    'deployment',
    'problems',
    ...paths.map((one) => at(clientId, one)),
  ]) {
    const { status, text } = await desk.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain(APP_ID);
  }
  const [{ ProjectionExpression } = {}] = desk.aws.inputsOf('Scan');
  expect(ProjectionExpression).toBe('clientId,appIds,userPoolClientIds,lastChange');
  const { body } = await desk.get('clients');
  expect(body.clients).toContainEqual({ clientId, appIdCount: 1, isLockedOut: false });
});

test('a manual edit is a problem of its own, and the first version is none', async () => {
  const [created, edited] = [await stored(), await stored()];
  await desk.service.dynamodb.send(
    new UpdateItemCommand({
      TableName: desk.service.outputs.ConfigsTableName,
      Key: { clientId: { S: edited } },
      UpdateExpression: 'SET lastFieldId = :four',
      ExpressionAttributeValues: { ':four': { N: '4' } },
    }),
  );
  await desk.recorded(edited, 2);
  const { body } = await desk.get('problems');
  const found = body.edits.map(({ clientId }: { clientId: string }) => clientId);
  expect(found).toContain(edited);
  expect(found).not.toContain(created);
  expect(body.diagnoses.map(({ check }: { check: string }) => check)).toContain('clients');
});

describe('codes', () => {
  const send = (userId: string, promoCode: string) =>
    desk.service.applyPromoCode({
      token: { user: userId },
      body: { clientId: 'demo', promoCode, userId, eventType: 'promo_applied', source: 'profile' },
    });

  test('are found by user and code, with near matches, and the queue is only counted', async () => {
    await send('jane', 'SUMMER26');
    await send('jane', 'WINTER');
    desk.aws.calls.length = 0;
    const exact = await desk.get('clients/demo/codes?user=jane&code=SUMMER26');
    expect(exact.body).toMatchObject({
      ...{ isComplete: true, similar: [], waiting: 0, deadLetters: 0 },
      events: [{ userId: 'jane', promoCode: 'SUMMER26', kind: 'applied' }],
    });
    const near = await desk.get('clients/demo/codes?user=Jane&code=summer26');
    expect(near.body).toMatchObject({ events: [], similar: [{ userId: 'jane' }], others: 0 });
    const other = await desk.get('clients/demo/codes?user=jane&code=AUTUMN');
    expect(other.body).toMatchObject({ events: [], similar: [], others: 2 });
    expect(desk.aws.calls.map(({ operation }) => operation)).not.toContain('ReceiveMessage');
    expect((await desk.get('clients/nobody/codes')).status).toBe(404);
    expect((await desk.get('clients/demo/codes?since=tomorrow')).status).toBe(400);
  });

  test('are a CSV in the order of time, in local time', async () => {
    const { headers, text } = await desk.get('clients/demo/codes.csv?user=jane');
    expect(headers.get('Content-Type')).toMatch('text/csv');
    const [headings, ...lines] = text.trimEnd().split('\n');
    expect(headings).toMatch(/^localTime,receivedAt,/);
    expect(lines.map((line) => line.split(',')[3])).toEqual(['SUMMER26', 'WINTER']);
  });
});

test('the command prints the address of the page, and ends with Ctrl-C', async () => {
  const { outputsFile } = desk.service;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const args = ['console', '--outputs', outputsFile, '--port', '0'];
  const ended = runCommandLine(args, { stdin: new PassThrough(), stdout, stderr });
  const [printed] = await once(stdout, 'data');
  const url = new URL(String(printed));
  const api = new URL('/api/clients', url);
  const headers = { 'Console-Secret': url.hash.slice(1) };
  expect(await (await fetch(api, { headers })).json()).toMatchObject({
    command: `./customer-data clients list --outputs ${outputsFile}`,
  });
  process.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(0);
  await expect(fetch(api, { headers })).rejects.toThrow();
});

test.each([
  ['GET', 'nothing', {}, 404],
  ['GET', 'clients/', {}, 404],
  ['GET', 'clients/pizza/versions/N', {}, 404],
  ['GET', 'clients/pizza/versions/0', {}, 404],
  ['GET', 'clients/%zz', {}, 400],
  ['GET', 'clients/nobody', {}, 404],
  ['GET', 'clients/nobody/versions', {}, 404],
  ['GET', 'clients/demo/versions/999', {}, 404],
  ['DELETE', 'clients/demo', {}, 405],
  ['POST', 'clients/demo/review', { body: { fields: [] } }, 428],
  ['POST', 'clients/demo/review', { base: 'digest', body: { fields: [] } }, 428],
  ['POST', 'clients/demo/review', { base: '0'.repeat(64), body: '{' }, 400],
  ['POST', 'clients/demo/review', { base: '0'.repeat(64), body: { fields: 1 } }, 400],
  ['POST', 'clients/demo/review', { base: '0'.repeat(64) }, 415],
  ['POST', 'clients/demo/review', { base: '0'.repeat(64), body: ' '.repeat(2 ** 21 + 1) }, 413],
  ['POST', 'clients/nobody/review', { base: '0'.repeat(64), body: { fields: [] } }, 404],
])('%s %s is refused', async (method, path, sent, status) => {
  const response = await desk.call(method, path, sent);
  expect(response.status).toBe(status);
  expect(response.body.error).toMatchObject({ code: expect.any(String), message: /./ });
});
