import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse } from 'aws-lambda';
import { close, listen } from 'customer-data-api-deployment/local';
import { createTable, LambdaFunction, readCloudAssembly } from 'customer-data-api-local';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Grant } from '../../../examples/consumers/grant.ts';
import { type PassOn, startAws } from '../../support/aws.ts';
import { itemsIn } from '../../support/items-in.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { type Service, startService } from '../../support/service.ts';
import { appFor } from '../../support/stack.ts';

/*
 * The consumer that grants each code once: the bundle that its stack deploys gets batches of the
 * lines that `npm run events` prints. Its tables are in the local DynamoDB.
 */

const GUEST = 'guest';
/** The attempts that the queue makes before a message becomes a dead letter. */
const MAX_RECEIVE_COUNT = 5;

let service: Service;
let aws: Awaited<ReturnType<typeof startAws>>;
let newFunction: () => LambdaFunction;
const logs: string[] = [];
let tables: { codes: string; grants: string };

/** The benefits that the service gave, by id. */
const given = new Map<string, { customer: string; grant: string }>();
/** The ids by the keys that it remembers. */
const keys = new Map<string, string>();
/** Called after each call of the function was executed, before it is answered. */
let afterCall: () => Promise<void> = async () => {};

const benefits = createServer(async (request, response) => {
  expect(request.headers.authorization).toBe('Bearer api-key');
  const answer = (body: object) => response.end(JSON.stringify(body));
  if (request.method === 'GET') {
    const asked = new URL(request.url ?? '', 'http://service').searchParams.get('grant');
    const found = [...given].filter(([, { grant }]) => grant === asked);
    return void answer({ data: found.map(([id]) => ({ id })) });
  }
  const { customer, metadata } = (await json(request)) as never;
  const key = String(request.headers['idempotency-key']);
  const id = keys.get(key) ?? `benefit-${given.size}`;
  if (!keys.has(key)) given.set(id, { customer, ...(metadata as { grant: string }) });
  keys.set(key, id);
  await afterCall();
  answer({ id });
});

beforeAll(async () => {
  service = await startService();
  aws = await startAws({ DynamoDB: service.servers.database });
  const app = appFor({ 'aws:cdk:bundling-stacks': ['**'] });
  const benefitsUrl = await listen(benefits);
  new Grant(app, 'Grant', { benefitsUrl, secretName: 'benefits', guests: [GUEST] });
  const { template, assetFolders } = await readCloudAssembly(app.synth().directory);
  const definitions = template.tables();
  for (const table of definitions) await createTable(service.dynamodb, table);
  const nameOf = (part: string) =>
    definitions.find(({ tableName }) => tableName.includes(part))?.tableName ?? '';
  tables = { codes: nameOf('Codes'), grants: nameOf('Grants') };
  newFunction = () => {
    const [definition] = template.functions();
    if (!definition) throw new Error('The stack has no function.');
    const folder = assetFolders.get(definition.codeKey) ?? '';
    const endpoints = { AWS_ENDPOINT_URL: aws.endpoint };
    return new LambdaFunction({ definition, folder, endpoints, log: (line) => logs.push(line) });
  };
});
afterAll(async () => {
  await service.stop();
  await aws.stop();
  await close(benefits);
});

beforeEach(() => {
  given.clear();
  keys.clear();
  logs.length = 0;
  afterCall = async () => {};
  const passOn = async (_: unknown, execute: PassOn) => {
    const answer = await execute();
    await afterCall();
    return answer;
  };
  aws.answer({
    GetItem: passOn,
    UpdateItem: passOn,
    GetSecretValue: { Name: 'benefits', SecretString: 'api-key' },
  });
});

const putCode = (code: string, slots: number, others: object = {}) =>
  service.documentClient.send(
    new PutCommand({
      TableName: tables.codes,
      Item: {
        clientId: 'demo',
        code,
        slots,
        validFrom: '2026-01-01',
        validUntil: '2126-01-01',
        ...others,
      },
    }),
  );

const users = (count: number) => Array.from({ length: count }, (_, n) => `customer-${n}`);

/** Lets customers apply a code, and returns the lines that `npm run events` prints of it. */
async function linesOf(promoCode: string, customers: readonly string[], clients = ['demo']) {
  for (const clientId of clients) {
    const headers = { 'App-Id': `${clientId}-app-key` };
    const other = { clientId, promoCode, eventType: 'promo_applied', source: 'profile' };
    await Promise.all(
      customers.map((userId) =>
        service.applyPromoCode({ headers, token: { user: userId }, body: { ...other, userId } }),
      ),
    );
  }
  return vi.waitFor(async () => {
    const text = await readFile(join(service.folder, 'events.jsonl'), 'utf8');
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const found = events.filter(
      (event) => event['detail-type'] === 'applied' && event.detail.promoCode === promoCode,
    );
    // The bus may get an event twice.
    const keys = found.map(({ detail }) => `${detail.clientId} ${detail.eventId}`);
    expect(new Set(keys).size).toBe(customers.length * clients.length);
    return found.map((event) => JSON.stringify(event));
  });
}

const recordsOf = (bodies: readonly string[]) =>
  bodies.map((body, index) => ({ messageId: String(index), body }));

/** Delivers a batch once. Returns the bodies to deliver again: all of them if the function died. */
async function deliverOnce(lambda: LambdaFunction, bodies: readonly string[]) {
  const response = await lambda.invoke({ Records: recordsOf(bodies) }).catch(() => undefined);
  if (!response) return bodies;
  const { batchItemFailures } = response as SQSBatchResponse;
  return batchItemFailures.map(({ itemIdentifier }) => bodies[Number(itemIdentifier)] ?? '');
}

/** Delivers a batch as the queue does. Returns the dead letters. */
async function deliver(lambda: LambdaFunction, bodies: readonly string[]) {
  let left = bodies;
  for (let attempt = 0; attempt < MAX_RECEIVE_COUNT && left.length > 0; attempt += 1) {
    left = await deliverOnce(lambda, left);
  }
  return left;
}

const grants = () => itemsIn(tables.grants, service.documentClient);

/** The number of grants of a code, by their step or the reason of the refusal. */
async function outcomesOf(code: string) {
  const ofCode = (await grants()).filter((grant) => grant.code === code);
  const groups = Map.groupBy(ofCode, ({ step, reason = step }) => reason);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}

test('a code that counts 10 times is granted 10 times to 50 customers at once', async () => {
  await putCode('FIFTY', 10);
  const lines = await linesOf('FIFTY', users(50));
  const random = randomNumbers('order');
  // Each event twice, in any order.
  const order = [...lines, ...lines]
    .map((line) => ({ line, at: random() }))
    .sort((one, other) => one.at - other.at);
  const batches = Map.groupBy(order, (_, index) => index % 10);
  const functions = Array.from({ length: 3 }, newFunction);
  const letters = await Promise.all(
    [...batches].map(([number, batch]) => {
      const [lambda = newFunction()] = functions.slice(number % functions.length);
      return deliver(
        lambda,
        batch.map(({ line }) => line),
      );
    }),
  );
  expect(letters.flat()).toEqual([]);
  // Days later, from an archive.
  keys.clear();
  const [lambda = newFunction()] = functions;
  expect(await deliver(lambda, lines)).toEqual([]);
  await Promise.all(functions.map((one) => one.stop()));
  expect(given.size).toBe(10);
  expect(new Set([...given.values()].map(({ customer }) => customer)).size).toBe(10);
  expect(await outcomesOf('FIFTY')).toEqual({ granted: 10, 'used up': 40 });
});

test('a function that is killed after any of its calls grants a code once, and loses no slot', async () => {
  await putCode('KILLED', 2);
  const lines = await linesOf('KILLED', users(3));
  const lambda = newFunction();
  let left = [...lines, ...lines.toReversed()];
  let deaths = 0;
  // A batch is delivered until the function survives as many calls as it needs.
  while (left.length > 0) {
    let calls = 0;
    afterCall = async () => {
      calls += 1;
      if (calls <= deaths) return;
      await lambda.stop();
      // The answer would come too late.
      await setImmediate();
    };
    left = [...(await deliverOnce(lambda, left))];
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(10);
  expect(given.size).toBe(2);
  expect(await outcomesOf('KILLED')).toEqual({ granted: 2, 'used up': 1 });
  await lambda.stop();
});

test('two tenants of one user pool grant the same code to the same user', async () => {
  await putCode('SAME', 1);
  await putCode('SAME', 1, { clientId: 'acme' });
  const lambda = newFunction();
  const lines = await linesOf('SAME', ['jane'], ['demo', 'acme']);
  expect(await deliver(lambda, [...lines, ...lines])).toEqual([]);
  expect([...given.values()].map(({ customer }) => customer)).toEqual(['jane', 'jane']);
  await lambda.stop();
});

/** Delivers an event to a function that dies after some calls, and lets a day pass. */
async function dieADayAgo(code: string, lastCall: number) {
  await putCode(code, 1);
  const lines = await linesOf(code, ['late']);
  const lambda = newFunction();
  let calls = 0;
  afterCall = async () => {
    calls += 1;
    if (calls === lastCall) await lambda.stop();
  };
  await deliverOnce(lambda, lines);
  const started = (await grants()).find((grant) => grant.code === code);
  expect(started?.step).toBe('started');
  await service.documentClient.send(
    new UpdateCommand({
      TableName: tables.grants,
      Key: { grantId: started?.grantId },
      UpdateExpression: 'SET startedAt = :yesterday',
      ExpressionAttributeValues: { ':yesterday': Date.now() - 24 * 60 * 60 * 1000 },
    }),
  );
  // The service remembers a key for a day.
  keys.clear();
  return { lambda, lines };
}

test.each([
  ['the service gave it', 'GIVEN', 4],
  ['the service was not called', 'NOTGIVEN', 3],
])('a day after a death, when %s, the benefit is given once', async (_, code, lastCall) => {
  const { lambda, lines } = await dieADayAgo(code, lastCall);
  expect(await deliver(lambda, lines)).toEqual([]);
  expect(given.size).toBe(1);
  expect(await outcomesOf(code)).toEqual({ granted: 1 });
  await lambda.stop();
});

test('a refusal is written down with its reason, and stays', async () => {
  await putCode('EARLY', 1, { validFrom: '2125-01-01' });
  await putCode('LATE', 1, { validUntil: '2026-01-02' });
  await putCode('NONE', 0);
  const expected = { EARLY: 'too early', LATE: 'too late', NONE: 'used up', WHAT: 'unknown code' };
  const lambda = newFunction();
  for (const [code, reason] of Object.entries(expected)) {
    const lines = await linesOf(code, ['jane']);
    expect(await deliver(lambda, [...lines, ...lines])).toEqual([]);
    expect(await outcomesOf(code)).toEqual({ [reason]: 1 });
    await putCode(code, 1);
    expect(await deliver(lambda, lines)).toEqual([]);
  }
  expect(given.size).toBe(0);
  await lambda.stop();
});

test('an erased grant, of which the key is left, is not granted again', async () => {
  await putCode('ERASED', 2);
  const lambda = newFunction();
  const lines = await linesOf('ERASED', ['jane']);
  expect(await deliver(lambda, lines)).toEqual([]);
  const [erased] = (await grants()).filter(({ code }) => code === 'ERASED');
  await service.documentClient.send(
    new PutCommand({ TableName: tables.grants, Item: { grantId: erased?.grantId } }),
  );
  keys.clear();
  expect(await deliver(lambda, lines)).toEqual([]);
  expect(given.size).toBe(1);
  await lambda.stop();
});

test('a guest gets nothing, and takes no slot', async () => {
  await putCode('GUEST', 1);
  const lambda = newFunction();
  expect(await deliver(lambda, await linesOf('GUEST', [GUEST]))).toEqual([]);
  expect(await outcomesOf('GUEST')).toEqual({ guest: 1 });
  expect(given.size).toBe(0);
  await lambda.stop();
});

test('what is no event of an applied code becomes a dead letter alone', async () => {
  await putCode('GOOD', 1);
  const lambda = newFunction();
  const [line = ''] = await linesOf('GOOD', ['jane']);
  const bad = ['{', JSON.stringify({ detail: { clientId: 'demo', promoCodeToken: 'private' } })];
  expect(await deliver(lambda, [...bad, line])).toEqual(bad);
  expect(given.size).toBe(1);
  const logged = logs.join();
  expect(logged).toContain('A grant will be tried again');
  expect(logged).not.toContain('private');
  await lambda.stop();
});
