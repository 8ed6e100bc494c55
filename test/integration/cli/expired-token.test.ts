import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerData } from '../../support/command-line.ts';

/* The token of `smoke --expired-token`, which is read before anything else. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function smokeWith(token: string) {
  const file = join(folder, 'token.txt');
  await writeFile(file, token);
  const { code, stdout, stderr } = await customerData(['smoke', '--expired-token', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr.replace(file, 'FILE');
}

const token = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
const now = () => Math.floor(Date.now() / 1000);

test.each<[string, () => Promise<string>]>([
  ['that expires later', () => token({ exp: now() + 60 })],
  ['that never expires', () => token({})],
])('a token %s is refused', async (_, made) => {
  expect(await smokeWith(await made())).toBe('The ID token in FILE has not expired yet.\n');
});

test('a file without a token is refused, and its content is not shown', async () => {
  expect(await smokeWith('secret')).toBe('There is no ID token in FILE.\n');
});

test('a file that does not exist is named', async () => {
  const file = join(folder, 'nothing.txt');
  expect(await customerData(['smoke', '--expired-token', file])).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `The expired ID token cannot be read: there is no file ${file}.\n`,
  });
});

test('an expired one is accepted, and the line feed at the end of the file is no part of it', async () => {
  const expired = await token({ exp: now() - 60 });
  for (const text of [expired, `${expired}\n`]) {
    expect(await smokeWith(text)).toMatch(/^Name the deployment: /);
  }
});
