import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* What is found in clients, and where it is repaired. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const { fields } = parse(PIZZA);

/** Stores a client that is in order but for some attributes. */
async function store(clientId: string, others: object = {}): Promise<void> {
  const [appClient = ''] = running.service.outputs.UserPoolClientId.split(',');
  const access = {
    appIds: new Set([`key-of-${clientId}`]),
    userPoolClientIds: new Set([appClient]),
  };
  await running.service.putConfig({ clientId, fields, lastFieldId: 3, ...access, ...others });
}

const go = (page: Page, hash: string) => page.goto(`${new URL(page.url()).origin}/${hash}`);

test('warnings from before are apart and counted, and a thousand equal ones are one line', async () => {
  const optionsArray = Array.from({ length: 1000 }, (_, at) => {
    return { value: `${at}`, display: `Number ${at}: many` };
  });
  const many = { ...fields[0], subFieldA: { ...fields[0].subFieldA, optionsArray } };
  await store('many', { fields: [many, fields[1]] });
  const page = await openPage(running);
  await go(page, '#/clients/many');
  await page.locator('.found > summary').click();
  const found = page.locator('.found');
  await found.getByText('1000 warnings from before').click();
  await found.getByText('has a colon').waitFor();
  await found.getByText('The same 999 more times.').waitFor();
  expect(await found.getByRole('listitem').count()).toBe(1);
  await page.locator('.field .name').nth(1).click();
  await page.getByLabel('Shown at').selectOption('');
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  const news = dialog.locator('.findings > .warning').filter({ visible: true });
  await news.getByText(/Shown at: the field is .*shown nowhere/).waitFor();
  expect(await news.count()).toBe(1);
  await dialog.getByText('1000 warnings from before').waitFor();
});
