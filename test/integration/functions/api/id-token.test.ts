import type { Server } from 'node:http';
import type { Request } from '@middy/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TokenExpiredError } from '../../../../functions/api/errors.ts';
import type { WithRequestHeaders } from '../../../../functions/api/headers.ts';
import { idToken, type WithClaims } from '../../../../functions/api/id-token.ts';
import {
  createJwksServer,
  generateSigningKey,
  type Issuer,
  signIdToken,
} from '../../../../local/issuer.ts';
import { close, listen } from '../../../../local/listen.ts';

type Event = WithRequestHeaders & WithClaims;

let issuer: Issuer;
let server: Server;

beforeAll(async () => {
  issuer = {
    userPoolId: 'us-east-1_Pool',
    userPoolClientId: 'client',
    signingKey: await generateSigningKey(),
  };
  server = createJwksServer(issuer);
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', await listen(server));
  vi.stubEnv('USER_POOL_ID', issuer.userPoolId);
  vi.stubEnv('USER_POOL_CLIENT_IDS', issuer.userPoolClientId);
});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await close(server);
});

test('a token that was taken is refused once it has expired', async () => {
  const { before } = idToken();
  const token = await signIdToken(issuer, { user: 'demo-user', expiresInSeconds: 60 });
  const verify = async () => {
    const event = { requestHeaders: { idToken: token } } as Event;
    await before?.({ event } as Request<Event>);
    return event.claims;
  };

  const { exp } = await verify();
  vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 });
  expect(await verify()).toMatchObject({ 'cognito:username': 'demo-user' });
  vi.setSystemTime(exp * 1000 + 1);
  await expect(verify()).rejects.toThrow(TokenExpiredError);
});
