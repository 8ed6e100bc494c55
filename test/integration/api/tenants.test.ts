import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { type Service, startService } from '../../support/service.ts';

/* Tenants that share a user pool: each has an app client of its own, and the deployment accepts the tokens of all of them. */

const TENANTS = ['pizza', 'bakery', 'garage'];
const appClientOf = (tenant: string) => `app-client-of-${tenant}`;
const keyOf = (tenant: string) => `key-of-${tenant}`;

/** The responses of each operation to a user of one tenant's app who calls for another tenant, with its App-Id. */
async function call(service: Service, clientId: string, { as }: { as: string }) {
  const answers = OPERATIONS.map((operation) =>
    service.send(operation, {
      token: { claims: { aud: appClientOf(as) } },
      headers: { 'App-Id': keyOf(clientId) },
      body: { ...operation.example.request, clientId },
    }),
  );
  return Promise.all(answers);
}

const statusesOf = async (...args: Parameters<typeof call>) => [
  ...new Set((await call(...args)).map(({ status }) => status)),
];

function startWith(required: boolean): Promise<Service> {
  return startService({
    REQUIRE_USER_POOL_CLIENT_IDS: String(required),
    USER_POOL_CLIENT_IDS: TENANTS.map(appClientOf).join(),
  });
}

describe.each([true, false])('if userPoolClientIds are required: %s', (required) => {
  let service: Service;
  beforeAll(async () => {
    service = await startWith(required);
    for (const tenant of TENANTS) {
      const userPoolClientIds = new Set([appClientOf(tenant)]);
      await service.putConfig({ clientId: tenant, appIds: [keyOf(tenant)], userPoolClientIds });
    }
    await service.putConfig({ clientId: 'open', appIds: [keyOf('open')] });
    await service.putConfig({
      clientId: 'misspelled',
      appIds: [keyOf('misspelled')],
      userPoolClientIDs: [appClientOf('pizza')],
    });
  });
  afterAll(() => service.stop());

  test.each(TENANTS.flatMap((tenant) => TENANTS.map((as) => [as, tenant])))(
    'a token of %s used for %s is accepted only if they are the same',
    async (as, tenant) => {
      expect(await statusesOf(service, tenant, { as })).toEqual([as === tenant ? 200 : 401]);
    },
  );

  test.each([
    ['open', required ? 401 : 200],
    ['misspelled', 401],
  ])(
    'the client %s, whose item lacks the attribute, answers every tenant with %i',
    async (clientId, status) => {
      for (const as of TENANTS) {
        expect(await statusesOf(service, clientId, { as })).toEqual([status]);
      }
    },
  );
});

test('the response does not reveal that the attribute is missing, and the log tells the operator', async () => {
  await using service = await startWith(true);
  await service.putConfig({ clientId: 'open', appIds: [keyOf('open')] });
  const { lines, logged } = service.watchLog();
  const refused = await call(service, 'open', { as: 'pizza' });
  const unknown = await call(service, 'unknown', { as: 'pizza' });
  expect(refused).toEqual(unknown);
  expect(refused.map(({ body }) => body.errors)).toEqual(
    refused.map(() => [
      {
        code: 'Unauthorized',
        message: 'The token, the App-Id or the clientId was not accepted.',
      },
    ]),
  );
  await logged('an attribute contains no string', '"attribute":"userPoolClientIds"');
  const [line] = lines().filter((one) => one.includes('an attribute contains no string'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'ERROR',
    clientId: 'open',
    attribute: 'userPoolClientIds',
    expected: 'a string set or a list of strings',
  });
  expect(await service.promoEvents('open')).toEqual([]);
});

test('the examples of the local server work with required userPoolClientIds, too', async () => {
  await using service = await startService({ REQUIRE_USER_POOL_CLIENT_IDS: 'true' });
  for (const clientId of ['demo', 'acme']) {
    const headers = { 'App-Id': `${clientId}-app-key` };
    expect((await service.getConfig({ headers, body: { clientId } })).status).toBe(200);
  }
});
