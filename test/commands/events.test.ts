import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { customerData } from '../support/command-line.ts';
import { PROJECT, startProcess } from '../support/processes.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/* Runs the command as a user does: in a process of its own. */

let service: Service;
beforeAll(async () => {
  service = await startService();
  for (const promoCode of ['A', 'B']) await apply(promoCode);
});
afterAll(() => service.stop());

const apply = (promoCode: string) =>
  service.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode } });

const codesIn = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).detail.item.promoCode.S);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'customer-data events prints the events so far and new ones, until %s',
  async (signal) => {
    const args = ['bin/customer-data.ts', 'events', '--folder', service.folder];
    using existing = await startProcess(process.execPath, args, { expected: '"B"' });
    expect(codesIn(existing.printed).slice(0, 2)).toEqual(['A', 'B']);
    const following = startProcess(process.execPath, args, { expected: `"NEW${signal}"` });
    await apply(`NEW${signal}`);
    using followed = await following;
    expect(codesIn(followed.printed).at(-1)).toBe(`NEW${signal}`);
    expect(await followed.stop(signal)).toBe(0);
    expect(await existing.stop(signal)).toBe(0);
  },
);

test('customer-data events --no-follow ends after the events so far', async () => {
  const listen = vi.spyOn(process, 'once');
  const { code, stdout } = await customerData([
    'events',
    '--folder',
    service.folder,
    '--no-follow',
  ]);
  // The first Ctrl-C ends it as any other program.
  expect(listen).not.toHaveBeenCalledWith('SIGINT', expect.anything());
  listen.mockRestore();
  expect(codesIn(stdout).slice(0, 2)).toEqual(['A', 'B']);
  expect(code).toBe(0);
});

test('customer-data events --pattern prints what a rule with this pattern receives', async () => {
  const pattern = JSON.stringify({ detail: { item: { promoCode: { S: ['B'] } } } });
  const args = ['--folder', service.folder, '--no-follow', '--pattern', pattern];
  expect(codesIn((await customerData(['events', ...args])).stdout)).toEqual(['B']);
});

test('customer-data events ends when the reader of its output does', async () => {
  const args = ['bin/customer-data.ts', 'events', '--folder', service.folder];
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await apply('UNREAD');
  expect(await exit).toEqual([0, null]);
  expect(await text(child.stderr)).toBe('');
});

test('customer-data events names a file below this folder as people would type it', async () => {
  const { stderr } = await customerData(['events', '--folder', 'no-such-folder']);
  expect(stderr).toMatch(/^There is no no-such-folder\/events\.jsonl\. /);
});

test.each<[string, string[], number, RegExp]>([
  ['no server has run', [], 1, /^There is no \/\S+\/events\.jsonl\. Start the local server/],
  [
    'the pattern is not known',
    ['--pattern', '{"source":[{"cidr":"10.0.0.0/8"}]}'],
    2,
    /^The local event bus does not know this part of an event pattern: \{"cidr":"10\.0\.0\.0\/8"\}$/m,
  ],
  ['the pattern is not JSON', ['--pattern', '{'], 2, /^The event pattern is not JSON: \{$/m],
])('customer-data events reports in one line that %s', async (_, args, expected, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const { code, stdout, stderr } = await customerData(['events', '--folder', folder, ...args]);
  await rm(folder, { recursive: true });
  expect(code).toBe(expected);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
