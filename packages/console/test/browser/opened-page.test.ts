import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { deploymentOf } from 'customer-data-api-deployment';
import open from 'open';
import { chromium } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { openPage } from '../../server/open-page.ts';
import { startConsole } from '../../server/server.ts';
import { launchOptions } from './browser.ts';

vi.mock('open', () => ({ default: vi.fn() }));

test('the page that the console opens has its secret, and the history of the browser has not', async () => {
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs: OUTPUTS });
  await using console = await startConsole(deployment, { port: 0, log: () => {} });
  await using profile = await newFolder();
  await using _ = await openPage(console.url);
  const secret = new URL(console.url).hash.slice(1);
  const browser = await chromium.launchPersistentContext(profile.path, await launchOptions());
  const page = await browser.newPage();
  const kept = () => page.evaluate(() => sessionStorage.getItem('secret'));
  await page.goto(`file://${vi.mocked(open).mock.lastCall?.[0]}`);
  await page.waitForURL(/^http/);
  await page.getByRole('main').waitFor();
  expect(await kept()).toBe(secret);
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  expect([await kept(), new URL(page.url()).hash]).toEqual([secret, '#/']);
  await browser.close();
  const folder = join(profile.path, 'Default');
  const files = (await readdir(folder)).filter((name) => name.startsWith('History'));
  const history = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
  expect(['127.0.0.1', secret].map((text) => history.join('').includes(text))).toEqual([
    true,
    false,
  ]);
});
