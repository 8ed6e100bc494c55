import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signIdToken } from '../../../local/id-token.ts';
import { generateSigningKey, type SigningKey } from '../../../local/issuer.ts';
import { close, listen } from '../../../local/listen.ts';
import { type Service, startService } from '../../support/service.ts';

/* If several values are valid, each of them is accepted, at any position. */

const KEYS = ['key-one', 'key-two', 'key-three'];
const APPS = ['app-one', 'app-two', 'app-three'];

let service: Service;
let signingKeys: SigningKey[];
let keySet: ReturnType<typeof createServer>;
beforeAll(async () => {
  signingKeys = await Promise.all(KEYS.map(() => generateSigningKey()));
  const keys = signingKeys.map(({ kty, n, e, alg, use, kid }) => ({ kty, n, e, alg, use, kid }));
  keySet = createServer((_request, response) => response.end(JSON.stringify({ keys })));
  service = await startService({
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: await listen(keySet),
    USER_POOL_CLIENT_IDS: APPS.join(),
  });
});
afterAll(async () => {
  await service.stop();
  await close(keySet);
});

interface Caller {
  readonly clientId: string;
  readonly appId?: string;
  readonly aud?: string;
  readonly signingKey?: SigningKey | undefined;
}

/** The statuses with which the operations answer a caller. */
async function statuses({ clientId, appId = 'key-one', aud = 'app-one', ...caller }: Caller) {
  const { signingKey = signingKeys[0] as SigningKey } = caller;
  const token = await signIdToken({ ...service.issuer, signingKey }, { claims: { aud } });
  const answers = OPERATIONS.map((operation) =>
    service.send(operation, {
      headers: { 'App-Id': appId, Authorization: `Bearer ${token}` },
      body: { ...operation.example.request, clientId },
    }),
  );
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
}

describe.each([
  ['a list', (values: string[]) => values],
  ['a string set', (values: string[]) => new Set(values)],
])('of %s', (kind, stored) => {
  test('each App-Id is accepted, and no other value', async () => {
    const clientId = `app-ids-${kind}`;
    await service.putConfig({ clientId, appIds: stored(KEYS) });
    for (const appId of KEYS) {
      expect([appId, await statuses({ clientId, appId })]).toEqual([appId, [200]]);
    }
    for (const appId of ['key-four', 'key', 'key-one,key-two', 'KEY-ONE', 'key-one key-two']) {
      expect([appId, await statuses({ clientId, appId })]).toEqual([appId, [401]]);
    }
  });

  test('each app client in userPoolClientIds is accepted, and no other of the user pool', async () => {
    const clientId = `user-pool-client-ids-${kind}`;
    const accepted = ['another', ...APPS.slice(1)];
    await service.putConfig({ clientId, appIds: KEYS, userPoolClientIds: stored(accepted) });
    for (const aud of APPS) {
      const status = accepted.includes(aud) ? 200 : 401;
      expect([aud, await statuses({ clientId, aud })]).toEqual([aud, [status]]);
    }
  });
});

test('a client without userPoolClientIds accepts the tokens of each app client of the deployment', async () => {
  await service.putConfig({ clientId: 'open', appIds: KEYS });
  for (const aud of APPS) {
    expect([aud, await statuses({ clientId: 'open', aud })]).toEqual([aud, [200]]);
  }
  for (const aud of ['app-four', 'app', 'app-one,app-two', '']) {
    expect([aud, await statuses({ clientId: 'open', aud })]).toEqual([aud, [401]]);
  }
});

test('an app client whose name is part of an accepted one is refused', async () => {
  const userPoolClientIds = ['app-one-more', 'an-app-one'];
  await service.putConfig({ clientId: 'similar', appIds: KEYS, userPoolClientIds });
  expect(await statuses({ clientId: 'similar', aud: 'app-one' })).toEqual([401]);
});

test('a client accepts no tokens of app clients outside the deployment', async () => {
  const userPoolClientIds = ['app-four', 'app-one'];
  await service.putConfig({ clientId: 'wider', appIds: KEYS, userPoolClientIds });
  expect(await statuses({ clientId: 'wider', aud: 'app-four' })).toEqual([401]);
  expect(await statuses({ clientId: 'wider', aud: 'app-one' })).toEqual([200]);
});

test('tokens of each key in the key set are accepted, and of no other key', async () => {
  await service.putConfig({ clientId: 'rotated', appIds: KEYS });
  for (const signingKey of signingKeys) {
    expect(await statuses({ clientId: 'rotated', signingKey })).toEqual([200]);
  }
  const signingKey = await generateSigningKey();
  expect(await statuses({ clientId: 'rotated', signingKey })).toEqual([401]);
});

test('neither value of a header that is sent twice is accepted', async () => {
  await service.putConfig({ clientId: 'twice', appIds: KEYS });
  const token = await signIdToken(
    { ...service.issuer, signingKey: signingKeys[0] as SigningKey },
    { claims: { aud: 'app-one' } },
  );
  const good = { Authorization: `Bearer ${token}`, 'App-Id': 'key-one' };
  for (const operation of OPERATIONS) {
    const body = { ...operation.example.request, clientId: 'twice' };
    for (const values of [
      ['key-one', 'wrong'],
      ['wrong', 'key-one'],
      ['key-one', 'key-one'],
    ]) {
      const headers = { ...good, 'App-Id': values };
      expect((await service.send(operation, { headers, body })).status).toBe(401);
    }
    expect((await service.send(operation, { headers: good, body })).status).toBe(200);
  }
});
