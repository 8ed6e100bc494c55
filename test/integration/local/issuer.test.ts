import { expect, test } from 'vitest';
import { createJwksServer, generateSigningKey, jwksPath } from '../../../local/issuer.ts';
import { close, listen } from '../../../local/listen.ts';

test('the issuer serves the public key in its key set, and nothing else', async () => {
  const signingKey = await generateSigningKey();
  const userPoolId = 'us-east-1_Pool';
  const server = createJwksServer({ userPoolId, userPoolClientId: 'app', signingKey });
  const origin = await listen(server);
  const response = await fetch(origin + jwksPath(userPoolId));
  const { kty, n, e, alg, use, kid } = signingKey;
  expect(await response.json()).toEqual({ keys: [{ kty, n, e, alg, use, kid }] });
  expect(response.headers.get('content-type')).toBe('application/json');
  for (const [path, method] of [
    [jwksPath('us-east-1_Another'), 'GET'],
    ['/', 'GET'],
    [jwksPath(userPoolId), 'POST'],
  ] as const) {
    const refused = await fetch(origin + path, { method });
    expect([refused.status, await refused.text()]).toEqual([404, '{}']);
  }
  await close(server);
});
