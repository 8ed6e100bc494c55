import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, type JWTPayload } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/processes.ts';
import { startService } from '../support/service.ts';

/* Runs the command as a user does: in a process of its own. */

test('npm run token reports in one line that no server is running', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { code, stdout, stderr } = await run('token', ['--folder', folder]);
  expect(code).toBe(4);
  expect(stdout).toBe('');
  expect(stderr).toBe('The local server is not running. Start it with npm start.\n');
});

test.concurrent.each([
  ['--expires-in', 'soon', 'It must be a whole number of seconds.'],
  ['--expires-in', '1.5', 'It must be a whole number of seconds.'],
  ['--expires-in', ' ', 'It must be a whole number of seconds.'],
  ['--claims', '{', 'It must be a JSON object, such as {"aud":"other"}.'],
  ['--claims', '[]', 'It must be a JSON object, such as {"aud":"other"}.'],
])('npm run token refuses %s %s in one line', async (option, value, expected) => {
  const { code, stderr } = await run('token', [option, value]);
  expect(code).toBe(1);
  expect(stderr).toContain(expected);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('npm run token prints a token with the requested claims, and nothing else', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  const token = async (...args: string[]) => {
    const { stdout, stderr } = await run('token', ['--folder', service.folder, ...args]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    return decodeJwt(stdout);
  };
  const lifetimeOf = ({ iat = 0, exp = 0 }: JWTPayload) => exp - iat;
  const now = Math.floor(Date.now() / 1000);
  const { UserPoolId, UserPoolClientId } = service.outputs;
  const claims = { aud: 'a', iss: 'b', token_use: 'access', custom: [1] };
  const [plain, ofJane, expired, short, altered, endless] = await Promise.all([
    token(),
    token('--user', 'jane'),
    token('--expires-in', '-60'),
    token('--expires-in', '60'),
    token('--claims', JSON.stringify(claims)),
    token('--claims', '{"exp":null}'),
  ]);
  expect(plain).toMatchObject({
    sub: 'demo-user',
    aud: UserPoolClientId,
    iss: `https://cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`,
    token_use: 'id',
  });
  expect(lifetimeOf(plain)).toBe(3600);
  expect(ofJane.sub).toBe('jane');
  expect(expired.exp).toBeLessThan(now);
  // As one that was valid before: no token expires before it was issued.
  expect(expired.iat).toBeLessThan(Number(expired.exp));
  expect(plain.iat).toBeGreaterThanOrEqual(now);
  expect(lifetimeOf(short)).toBe(60);
  expect(altered).toMatchObject(claims);
  expect(endless).not.toHaveProperty('exp');
});
