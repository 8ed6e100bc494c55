import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROJECT, run, startProcess } from 'customer-data-api/testing/processes';
import { PROMO_REQUEST, type Service, startService } from 'customer-data-api/testing/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const apply = (promoCode: string) =>
  service.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode } });
const codesIn = (text: string) =>
  [...text.matchAll(/"promoCode":"(\w+)"/g)].map(([, code]) => code);
const events = (...args: string[]) => run('events', [...args, '--folder', service.folder]);

test('the events so far are printed, or those that match a pattern', async () => {
  for (const code of ['A', 'B']) await apply(code);
  await vi.waitFor(async () => {
    expect(codesIn((await events('--no-follow')).stdout)).toEqual(['A', 'B']);
  });
  const ofB = '{"detail":{"promoCode":["B"]}}';
  expect(codesIn((await events('--no-follow', '--pattern', ofB)).stdout)).toEqual(['B']);
  expect(await events('--no-follow', '--pattern', '{')).toMatchObject({ code: 2, stdout: '' });
  const { code, stderr } = await run('events', ['--folder', 'elsewhere']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm start')]);
});

test('it ends when its reader does', async () => {
  const child = spawn(
    process.execPath,
    ['packages/local/commands/events.ts', '--folder', service.folder],
    {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await apply('LAST');
  expect(await exit).toEqual([0, null]);
});

test('new events are printed until a signal', async () => {
  using running = await startProcess(
    process.execPath,
    ['packages/local/commands/events.ts', '--folder', service.folder],
    { expected: '"B"' },
  );
  await apply('NEW');
  await vi.waitUntil(() => codesIn(running.output()).includes('NEW'));
  expect(await running.stop('SIGTERM')).toBe(0);
});
