import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf, PROJECT, run } from 'customer-data-api/testing/processes';
import { IS_WHOLE } from 'customer-data-api/testing/runs';
import { startService } from 'customer-data-api/testing/service';
import { expect, test, vi } from 'vitest';

const ROWS = IS_WHOLE ? 10_000 : 500;

test('an import that is killed and started again writes each code once, and publishes none', async () => {
  await using service = await startService();
  const file = join(service.folder, 'codes.csv');
  const rows = Array.from({ length: ROWS }, (_, n) => `user-${n},SAVE${n % 7},2024-05-31\n`);
  await writeFile(file, `userId,promoCode,date\n${rows.join('')}`);
  const target = ['--client', 'demo', '--outputs', service.outputsFile, '--yes', '--json'];
  const words = ['promo', 'import', file, ...target];
  const child = spawn(process.execPath, [fileOf('customer-data'), ...words], { cwd: PROJECT });
  const count = async () => (await service.promoEvents()).length;
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const before = await count();
  expect(before).toBeLessThan(ROWS);
  const start = performance.now();
  const again = async (...options: string[]) => {
    const { stdout } = await run('customer-data', [...words, ...options]);
    return JSON.parse(stdout);
  };
  expect(await again('--rate', '10000')).toMatchObject({ imported: ROWS - before, there: before });
  if (IS_WHOLE) {
    const seconds = Math.round((performance.now() - start) / 1000);
    process.stdout.write(`${ROWS - before} rows were imported in ${seconds} s.\n`);
  }
  expect(await again()).toMatchObject({ imported: 0, there: ROWS });
  expect(await count()).toBe(ROWS);

  const item = async () => {
    const events = await service.promoEvents();
    return events.find(({ eventId }) => eventId === 'user-3#SAVE3#applied');
  };
  const imported = await item();
  expect(imported).toHaveProperty('importedAt');
  const apply = async (promoCode: string) => {
    const body = { clientId: 'demo', promoCode, userId: 'user-3', eventType: 'e', source: 's' };
    const token = { user: 'user-3' };
    return (await service.applyPromoCode({ body, token })).body.data.outcome;
  };
  expect([await apply('SAVE3'), await apply('NEW')]).toEqual(['repeated', 'applied']);
  expect(await item()).toEqual(imported);
  // The stream has an order: by then, it would have published what was imported.
  const published = async () => {
    const lines = (await readFile(join(service.folder, 'events.jsonl'), 'utf8')).split('\n');
    const events = lines.filter(Boolean).map((line) => JSON.parse(line));
    return events.map((event) => `${event['detail-type']} ${event.detail.promoCode}`);
  };
  await vi.waitFor(async () =>
    expect(await published()).toEqual(['repeated SAVE3', 'applied NEW']),
  );
}, 600_000);
